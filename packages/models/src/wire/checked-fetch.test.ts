import type { ModelTarget } from '@troupe/agents/ports'
import {
  type BodyServer,
  framed,
  inWrites,
  PROVIDER_WIRES,
  type ProviderWire,
  startBodyServer,
} from '@troupe/test-kit/provider-streams'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { modelsForTest, streamText, targetOf, userSays } from '../testing/open-chain.ts'

const wire = (name: string) => PROVIDER_WIRES.find((one) => one.name === name) as ProviderWire
const JSON_TYPE = 'application/json'

describe('an answer of another kind than requested', () => {
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
  const open = (of: ProviderWire) =>
    modelsForTest()({ targets: [targetAt(of)], retry: { attemptsPerModel: 1 } })
  const json = (body: unknown) => ({ contentType: JSON_TYPE, body: [JSON.stringify(body)] })

  const PAGE = '<!doctype html><html><head><title>Sign in</title></head><body>Sign in</body></html>'
  describe.each(PROVIDER_WIRES)('$name', (of) => {
    it.each([
      'text/html',
      JSON_TYPE,
      'text/event-stream',
      null,
    ])('identifies a page sent as %s', async (contentType) => {
      server.play({ contentType, body: [`\n  ${PAGE}`] })
      const { model, attempts } = open(of)
      const { error } = await streamText(model)
      expect(error).toMatchObject({
        code: 'exhausted',
        message: expect.stringContaining('a web page was returned'),
      })
      expect(attempts).toMatchObject([{ ok: false, errorCode: 'unexpected_body' }])
    })

    it('reads a whole answer', async () => {
      server.play(json(of.whole))
      const { model, attempts } = open(of)
      const { text, error, parts } = await streamText(model)
      expect(error).toBeUndefined()
      expect(text).toBe('Hello there')
      expect(parts.at(-1)).toMatchObject({ type: 'finish', finishReason: { unified: 'stop' } })
      expect(attempts).toMatchObject([
        {
          ok: true,
          inputTokens: 12,
          outputTokens: 7,
          usageIncomplete: false,
          note: 'The server sent the whole answer at once instead of a stream.',
        },
      ])
      expect(server.requests).toHaveLength(1)
    })

    it('fails on a whole answer that was cut off', async () => {
      const text = JSON.stringify(of.whole)
      server.play({ contentType: JSON_TYPE, body: [text.slice(0, -10)] })
      const { model, attempts } = open(of)
      expect((await streamText(model)).error).toMatchObject({ code: 'exhausted' })
      expect(attempts).toMatchObject([{ ok: false, errorCode: 'answer_cut' }])
    })

    it('reads a stream byte by byte, with any content type', async () => {
      const bytes = Buffer.concat(framed(of.framing, of.text, of.done))
      server.play({ contentType: 'text/plain', body: inWrites(bytes, 1) })
      const { model, attempts } = open(of)
      expect((await streamText(model)).text).toBe('Hello there')
      expect(attempts).toMatchObject([{ ok: true, outputTokens: 7, usageIncomplete: false, note: null }])
    })

    it('fails on an empty body', async () => {
      server.play({ body: [] })
      const { model, attempts } = open(of)
      expect((await streamText(model)).error).toMatchObject({ code: 'exhausted' })
      expect(attempts).toMatchObject([{ ok: false }])
    })
  })

  // OpenAI, https://platform.openai.com/docs/guides/error-codes; Anthropic, https://docs.claude.com/en/api/errors; Google,
  // https://cloud.google.com/apis/design/errors; Amazon, https://docs.aws.amazon.com/bedrock/latest/APIReference/CommonErrors.html;
  // vLLM, https://github.com/vllm-project/vllm/blob/main/vllm/entrypoints/openai/protocol.py (`ErrorResponse`).
  const ERRORS: [string, unknown, string][] = [
    [
      'openai-compatible',
      {
        error: {
          message: 'You exceeded your current quota',
          type: 'insufficient_quota',
          code: 'insufficient_quota',
        },
      },
      'http_429',
    ],
    [
      'openai-compatible',
      { object: 'error', message: 'overloaded', type: 'InternalServerError', code: 503 },
      'http_503',
    ],
    [
      'openai-compatible',
      {
        error: {
          message: 'Incorrect API key provided',
          type: 'invalid_request_error',
          code: 'invalid_api_key',
        },
      },
      'http_401',
    ],
    [
      'openai',
      { error: { message: 'Rate limit reached', type: 'rate_limit_error', code: null } },
      'http_429',
    ],
    ['anthropic', { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }, 'http_529'],
    [
      'google',
      { error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } },
      'http_503',
    ],
    [
      'amazon-bedrock',
      { __type: 'com.amazon.coral.service#ThrottlingException', message: 'Too many tokens' },
      'http_429',
    ],
  ]
  it.each(ERRORS)('of %s with the error %j is one with its status', async (name, body, errorCode) => {
    server.play(json(body))
    const { model, attempts } = open(wire(name))
    expect((await streamText(model)).error).toBeDefined()
    expect(attempts).toMatchObject([{ ok: false, errorCode }])
  })

  it('is classified by its text if nothing reveals its status', async () => {
    server.play(json({ error: 'this model does not exist: model m not found' }))
    const { model, attempts } = open(wire('openai-compatible'))
    await streamText(model)
    expect(attempts).toMatchObject([{ ok: false, errorCode: 'model_not_found' }])
  })

  it('is a failure if it is other JSON', async () => {
    server.play(json({ status: 'healthy' }))
    const { model, attempts } = open(wire('openai-compatible'))
    expect((await streamText(model)).error).toMatchObject({
      message: expect.stringContaining('the body is not an answer'),
    })
    expect(attempts).toMatchObject([{ errorCode: 'unexpected_body' }])
  })

  it('is read as events when Gemini sends its list of them', async () => {
    const of = wire('google')
    server.play(json(of.text))
    const { model, attempts } = open(of)
    expect((await streamText(model)).text).toBe('Hello there')
    expect(attempts).toMatchObject([{ ok: true, note: expect.stringContaining('a list of events') }])
  })

  it('also fails a request for embeddings', async () => {
    const { createEmbeddingModels } = await import('../embeddings/create-embedding-models.ts')
    const attempts: unknown[] = []
    const embed = () =>
      createEmbeddingModels({ fetch }).embed({
        connection: targetOf(server.url, 'm').connection,
        modelId: 'm',
        texts: ['x'],
        signal: AbortSignal.timeout(10_000),
        onAttempt: (attempt) => attempts.push(attempt),
      })
    server.play({ contentType: 'text/html', body: [PAGE] })
    await expect(embed()).rejects.toMatchObject({
      message: expect.stringContaining('a web page was returned'),
    })
    server.play(json({ error: { message: 'no key', type: 'authentication_error' } }))
    await expect(embed()).rejects.toMatchObject({ code: 'fatal' })
    expect(attempts).toMatchObject([{ errorCode: 'unexpected_body' }, { errorCode: 'http_401' }])
  })
})

describe('a server without finish reasons', () => {
  let server: BodyServer
  beforeAll(async () => {
    server = await startBodyServer()
  })
  beforeEach(() => server.reset())
  afterAll(() => server.close())

  const chunk = (delta: object, finish_reason: string | null = null) => ({
    choices: [{ index: 0, delta, finish_reason }],
  })
  const events = (list: unknown[], done = true) => ({ body: framed('data', list, done) })
  const TEXT = [chunk({ role: 'assistant', content: '' }), chunk({ content: 'Whole "[DONE]" text' })]
  const open = () => {
    const target = targetOf(server.url, 'm')
    const opened = modelsForTest()
    return () => opened({ targets: [target], retry: { attemptsPerModel: 1 } })
  }

  it('is accepted if a text has a good end, and the attempt notes it', async () => {
    server.play(events(TEXT))
    const { model, attempts } = open()()
    const { text, error, parts } = await streamText(model)
    expect(error).toBeUndefined()
    expect(text).toBe('Whole "[DONE]" text')
    expect(parts.at(-1)).toMatchObject({ finishReason: { unified: 'stop' } })
    expect(attempts).toMatchObject([{ ok: true, note: expect.stringContaining('no finish reason') }])
  })

  const CUT: [string, { body: Uint8Array[] }][] = [
    ['without [DONE]', events(TEXT, false)],
    ['within [DONE]', { body: [...framed('data', TEXT, false), Buffer.from('data: [DON')] }],
    [
      'after a call of a tool',
      events([
        ...TEXT,
        chunk({ tool_calls: [{ index: 0, id: 'c', function: { name: 'weather', arguments: '{}' } }] }),
      ]),
    ],
    ['after an error', events([...TEXT, { error: { message: 'boom' } }])],
  ]
  it.each(CUT)('is not accepted %s', async (_name, answer) => {
    server.play(answer)
    const { model, attempts } = open()()
    const tools = [{ type: 'function', name: 'weather', inputSchema: { type: 'object' } } as const]
    expect((await streamText(model, userSays('x', { tools }))).error).toBeDefined()
    expect(attempts).toMatchObject([{ ok: false }])
  })

  it('is not accepted once it has sent one', async () => {
    const ask = open()
    server.play(events([...TEXT, chunk({}, 'stop')]), events(TEXT))
    expect((await streamText(ask().model)).error).toBeUndefined()
    const { model, attempts } = ask()
    expect((await streamText(model)).error).toMatchObject({ code: 'stream_broken' })
    expect(attempts).toMatchObject([{ ok: false, errorCode: 'answer_cut' }])
  })

  it('is accepted if its whole answer is JSON', async () => {
    const whole = { choices: [{ index: 0, message: { role: 'assistant', content: 'Whole' } }] }
    server.play({ contentType: 'application/json', body: [JSON.stringify(whole)] })
    const { model, attempts } = open()()
    expect((await streamText(model)).text).toBe('Whole')
    expect(attempts).toMatchObject([{ ok: true, usageIncomplete: true }])
  })
})
