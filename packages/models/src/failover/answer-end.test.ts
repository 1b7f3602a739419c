import type { ModelTarget } from '@troupe/agents/ports'
import {
  type BodyServer,
  framed,
  PROVIDER_WIRES,
  type ProviderWire,
  startBodyServer,
} from '@troupe/test-kit/provider-streams'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { modelsForTest, streamText, targetOf, userSays } from '../testing/open-chain.ts'

const WEATHER = {
  type: 'function',
  name: 'weather',
  inputSchema: { type: 'object', properties: { city: { type: 'string' } } },
} as const

const wire = (name: string) => PROVIDER_WIRES.find((one) => one.name === name) as ProviderWire

describe('the end of an answer', () => {
  let server: BodyServer
  beforeAll(async () => {
    server = await startBodyServer()
  })
  beforeEach(() => server.reset())
  afterAll(() => server.close())

  const targetAt = ({ providerId, settings }: Pick<ProviderWire, 'providerId' | 'settings'>): ModelTarget => {
    const target = targetOf(server.url, 'm')
    return { ...target, connection: { ...target.connection, providerId, settings } }
  }
  const open = (of: ProviderWire, retry = {}) =>
    modelsForTest()({ targets: [targetAt(of)], retry: { attemptsPerModel: 1, ...retry } })
  const body = ({ framing, done }: ProviderWire, events: unknown[]) => ({
    body: framed(framing, events, done),
  })

  describe.each(PROVIDER_WIRES)('$name', (of) => {
    it('returns a whole answer with its tokens', async () => {
      server.play(body(of, of.text))
      const { model, attempts } = open(of)
      const { text, error, parts } = await streamText(model)
      expect(error).toBeUndefined()
      expect(text).toBe('Hello there')
      expect(parts.at(-1)).toMatchObject({ type: 'finish', finishReason: { unified: 'stop' } })
      expect(attempts).toMatchObject([{ ok: true, inputTokens: 12, outputTokens: 7, usageIncomplete: false }])
    })

    it('returns a whole call', async () => {
      server.play(body(of, of.call))
      const { model, attempts } = open(of)
      const { error, parts } = await streamText(model, userSays('x', { tools: [WEATHER] }))
      expect(error).toBeUndefined()
      expect(parts.find((part) => part.type === 'tool-call')).toMatchObject({ input: '{"city":"Oslo"}' })
      expect(parts.at(-1)).toMatchObject({ finishReason: { unified: 'tool-calls' } })
      expect(attempts).toMatchObject([{ ok: true, usageIncomplete: false }])
    })

    it('is a failure without its final event', async () => {
      // The last event that belongs to an answer of this provider, with everything after it.
      const kept = of.text.slice(
        0,
        of.text.findIndex((event) =>
          /finish_?reason":"|stop_?reason":"|response\.completed/i.test(JSON.stringify(event)),
        ),
      )
      server.play({ body: framed(of.framing, kept, false) })
      const { model, attempts } = open(of)
      expect((await streamText(model)).error).toMatchObject({ code: 'stream_broken' })
      expect(attempts).toMatchObject([{ ok: false, usageIncomplete: true }])
    })
  })

  const BROKEN: [string, string][] = [
    // https://api-docs.deepseek.com/api/create-chat-completion
    ['openai-compatible', 'insufficient_system_resource'],
    // https://openrouter.ai/docs/api-reference/overview#finish-reason
    ['openai-compatible', 'error'],
    ['openai chat', 'something_new'],
    ['azure-openai chat', 'something_new'],
    ['groq', 'something_new'],
    ['mistral', 'error'],
    ['openai', 'something_new'],
    ['azure-openai', 'something_new'],
    ['xai', 'something_new'],
    // https://docs.claude.com/en/api/handling-stop-reasons: the turn continues.
    ['anthropic', 'pause_turn'],
    // https://ai.google.dev/api/generate-content#FinishReason
    ['google', 'OTHER'],
    ['google', 'LANGUAGE'],
    ['google', 'MALFORMED_FUNCTION_CALL'],
    ['google', 'UNEXPECTED_TOOL_CALL'],
    ['google', 'TOO_MANY_TOOL_CALLS'],
    ['google', 'MISSING_THOUGHT_SIGNATURE'],
    ['google', 'MALFORMED_RESPONSE'],
    ['google', 'NO_IMAGE'],
    ['google', 'FINISH_REASON_UNSPECIFIED'],
    // https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_MessageStopEvent.html
    ['amazon-bedrock', 'malformed_model_output'],
    ['amazon-bedrock', 'malformed_tool_use'],
  ]
  it.each(
    BROKEN,
  )('fails the attempt of %s if it is %s, with its tokens and the reason', async (name, word) => {
    const of = wire(name)
    server.play(body(of, of.ending(word)))
    const { model, attempts } = open(of)
    const { error } = await streamText(model)
    expect(error).toMatchObject({
      code: 'stream_broken',
      message: `The model's answer was cut off: the provider ended it with ${word}.`,
    })
    expect(attempts).toMatchObject([{ ok: false, errorCode: 'answer_cut', inputTokens: 12, outputTokens: 7 }])
  })

  const WHOLE: [string, string, string][] = [
    ['openai-compatible', 'length', 'length'],
    // A gateway before Anthropic (https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons).
    ['openai-compatible', 'model_context_window_exceeded', 'length'],
    ['openai-compatible', 'refusal', 'content-filter'],
    ['openai-compatible', 'content_filter', 'content-filter'],
    // https://docs.together.ai/reference/chat-completions-1
    ['openai-compatible', 'eos', 'stop'],
    // https://huggingface.github.io/text-generation-inference/
    ['openai-compatible', 'eos_token', 'stop'],
    ['mistral', 'model_length', 'length'],
    ['openai', 'max_output_tokens', 'length'],
    ['xai', 'max_output_tokens', 'length'],
    ['azure-openai', 'content_filter', 'content-filter'],
    ['anthropic', 'stop_sequence', 'stop'],
    ['anthropic', 'model_context_window_exceeded', 'length'],
    ['anthropic', 'refusal', 'content-filter'],
    ['google', 'MAX_TOKENS', 'length'],
    ['google', 'SAFETY', 'content-filter'],
    ['amazon-bedrock', 'model_context_window_exceeded', 'length'],
    ['amazon-bedrock', 'guardrail_intervened', 'content-filter'],
  ]
  it.each(WHOLE)('of %s with %s is %s', async (name, word, end) => {
    const of = wire(name)
    server.play(body(of, of.ending(word)))
    const { model, attempts } = open(of)
    const { error, parts } = await streamText(model)
    expect(error).toBeUndefined()
    expect(parts.at(-1)).toMatchObject({ finishReason: { unified: end } })
    expect(attempts).toMatchObject([{ ok: true }])
  })

  it('is repeated if it came before any content', async () => {
    const of = wire('openai-compatible')
    const broken = of.ending('insufficient_system_resource').slice(1)
    server.play(body(of, broken), body(of, of.text))
    const { model, attempts } = open(of, { attemptsPerModel: 2 })
    expect((await streamText(model)).text).toBe('Hello there')
    expect(attempts.map(({ errorCode }) => errorCode)).toEqual(['answer_cut', null])
  })

  it('reports that the model refused', async () => {
    const of = wire('anthropic')
    const silent = of.ending('refusal').filter((event) => !/content_block/.test(JSON.stringify(event)))
    server.play(body(of, silent))
    const { model, attempts } = open(of, { attemptsPerModel: 2 })
    expect((await streamText(model)).error).toMatchObject({
      code: 'fatal',
      message: 'The model refused to answer.',
    })
    expect(attempts).toMatchObject([{ errorCode: 'model_refused', inputTokens: 12, ttftMs: null }])
  })

  // Anthropic's package puts the start of a message into a part of type `custom`.
  it('may be missing after the start of a message: the attempt is repeated, with the tokens of that start', async () => {
    const of = wire('anthropic')
    server.play(body(of, of.text.slice(0, 2)), body(of, of.text))
    const { model, attempts } = open(of, { attemptsPerModel: 2 })
    expect((await streamText(model)).text).toBe('Hello there')
    expect(attempts).toMatchObject([
      {
        ok: false,
        errorCode: 'answer_cut',
        ttftMs: null,
        inputTokens: 12,
        outputTokens: 1,
        usageIncomplete: true,
      },
      { ok: true, inputTokens: 12, outputTokens: 7, usageIncomplete: false },
    ])
  })
})
