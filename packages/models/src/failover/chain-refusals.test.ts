import type { ChatModelError } from '@troupe/agents/ports'
import type { ProviderId } from '@troupe/contract'
import { type ModelReply, type ModelServer, startModelServer } from '@troupe/test-kit/model-server'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { modelsForTest, streamText, targetOf } from '../testing/open-chain.ts'

// Bodies as OpenAI documents them (https://platform.openai.com/docs/guides/error-codes/api-errors).
const refuses = (param: string, message: string): ModelReply => ({
  status: 400,
  body: { error: { message, type: 'invalid_request_error', param, code: 'unsupported_parameter' } },
})
const NO_TEMPERATURE = refuses(
  'temperature',
  "Unsupported parameter: 'temperature' is not supported with this model.",
)
const NO_QUOTA: ModelReply = {
  status: 429,
  body: {
    error: {
      message: 'You exceeded your current quota.',
      type: 'insufficient_quota',
      code: 'insufficient_quota',
    },
  },
}

describe('a chain whose provider refuses', () => {
  let server: ModelServer
  beforeAll(async () => {
    server = await startModelServer()
  })
  beforeEach(() => server.reset())
  afterAll(() => server.close())

  const parameters = { temperature: 0.3, topP: 0.9, seed: 7, maxOutputTokens: 40 }
  const one = (name = 'a', overrides = {}) => targetOf(server.url, name, { parameters, ...overrides })

  it('a parameter repeats the request once without it, and remembers that for the model', async () => {
    const open = modelsForTest()
    server.script(NO_TEMPERATURE, 'fine', 'again')
    const first = open({ targets: [one()], retry: { attemptsPerModel: 1 } })
    expect((await streamText(first.model)).text).toBe('fine')
    expect(first.attempts.map(({ errorCode }) => errorCode)).toEqual(['parameter_refused', null])
    const second = open({ targets: [one()] })
    expect((await streamText(second.model)).text).toBe('again')
    const sent = server.requests.map(({ body }) => body as Record<string, unknown>)
    expect(sent.map(({ temperature }) => temperature)).toEqual([0.3, undefined, undefined])
    // No other parameter is omitted.
    for (const body of sent) expect(body).toMatchObject({ top_p: 0.9, seed: 7, max_tokens: 40 })
    // Another model, and an edited configuration, are called with all parameters.
    server.script('b', 'edited')
    await streamText(open({ targets: [one('b')] }).model)
    const edited = one()
    edited.connection = { ...edited.connection, version: 2 }
    await streamText(open({ targets: [edited] }).model)
    expect(server.requests.slice(3).map(({ body }) => body.temperature)).toEqual([0.3, 0.3])
  })

  it('several parameters, one after the other, repeats it without all of them', async () => {
    server.script(NO_TEMPERATURE, refuses('top_p', "Unsupported parameter: 'top_p'"), 'fine')
    const { model } = modelsForTest()({ targets: [one()], retry: { attemptsPerModel: 1 } })
    expect((await streamText(model)).text).toBe('fine')
    expect(server.requests[2]?.body).not.toMatchObject({ temperature: 0.3 })
  })

  it('the same parameter again ends with an error that names it and does not blame the model id', async () => {
    server.script(NO_TEMPERATURE, NO_TEMPERATURE)
    const { model } = modelsForTest()({ targets: [one(), one('b')] })
    const { error } = await streamText(model)
    expect(error).toMatchObject({
      code: 'fatal',
      message: 'The model a does not accept the parameter temperature or its value.',
      providerMessage: "Unsupported parameter: 'temperature' is not supported with this model.",
      refusesRequest: true,
    })
    expect(server.requests).toHaveLength(2)
  })

  it('stop sequences names them and leaves nothing out', async () => {
    server.script(refuses('stop', "Unsupported parameter: 'stop' is not supported with this model."))
    const target = one('a', { parameters: { ...parameters, stopSequences: ['END'] } })
    const { error } = await streamText(modelsForTest()({ targets: [target] }).model)
    expect((error as ChatModelError).message).toContain('parameter stop_sequences')
    expect(server.requests).toHaveLength(1)
  })

  it.each([
    ['openai-compatible', {}],
    ['openai', { api: 'chat' }],
    ['azure-openai', { api: 'chat' }],
  ] as [
    ProviderId,
    Record<string, unknown>,
  ][])('max_tokens sends the limit under its newer name to %s', async (providerId, settings) => {
    server.script(
      refuses(
        'max_tokens',
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      ),
      'fine',
    )
    const target = one()
    target.connection = { ...target.connection, providerId, settings }
    const { model } = modelsForTest()({ targets: [target] })
    expect((await streamText(model)).text).toBe('fine')
    expect(server.requests.map(({ body }) => body as Record<string, unknown>)).toMatchObject([
      { max_tokens: 40 },
      { max_completion_tokens: 40 },
    ])
    expect(server.requests[1]?.body).not.toHaveProperty('max_tokens')
  })

  it('for lack of quota goes to the fallback without a second attempt', async () => {
    server.script(NO_QUOTA, 'from b')
    const { model, attempts, events } = modelsForTest()({ targets: [one(), one('b')] })
    expect((await streamText(model)).text).toBe('from b')
    expect(events).toEqual(['failover a->b rate_limit'])
    expect(attempts[0]).toMatchObject({
      errorCode: 'http_429',
      providerMessage: 'You exceeded your current quota.',
    })
  })

  it('for lack of quota without a fallback reports that, and does not suggest a retry', async () => {
    server.script(NO_QUOTA)
    const { error } = await streamText(modelsForTest()({ targets: [one()] }).model)
    expect((error as ChatModelError).message).toBe(
      'The account at the model provider has no credit or quota left.',
    )
  })

  it('for a limit reports the time to wait', async () => {
    server.script({ status: 429, headers: { 'retry-after': '35' } })
    const { error } = await streamText(modelsForTest()({ targets: [one()] }).model)
    expect((error as ChatModelError).message).toBe(
      'The model provider is limiting requests; try again in 35 seconds.',
    )
  })

  it('the key reports that the key was refused, even if its status is 400', async () => {
    // https://ai.google.dev/gemini-api/docs/troubleshooting
    const message = 'API key not valid. Please pass a valid API key: sk-secret-key-of-the-tenant.'
    server.script({ status: 400, body: { error: { code: 400, message, status: 'INVALID_ARGUMENT' } } })
    const { error } = await streamText(modelsForTest()({ targets: [one()] }).model)
    expect(error).toMatchObject({
      code: 'fatal',
      message: 'The key of the LLM configuration was refused by the model provider.',
      providerMessage: 'API key not valid. Please pass a valid API key: [secret].',
    })
  })

  it('a chat with another kind of model names the model', async () => {
    // https://github.com/ollama/ollama/issues/2778
    server.script({ status: 400, body: { error: { message: 'embedding models do not support chat' } } })
    const { error } = await streamText(modelsForTest()({ targets: [one('nomic-embed-text')] }).model)
    expect((error as ChatModelError).message).toBe('The model nomic-embed-text is not a chat model.')
  })

  it('an answer of only reasoning up to its limit reports that limit as the cause', async () => {
    server.script({
      text: '',
      finishReason: 'length',
      usage: { inputTokens: 3, outputTokens: 40, reasoningTokens: 40 },
    })
    const { model, attempts } = modelsForTest()({ targets: [one()] })
    const { error } = await streamText(model)
    expect(error).toMatchObject({ code: 'empty_response' })
    expect((error as ChatModelError).message).toMatch(
      /^The model used all of its output tokens for reasoning/,
    )
    expect(attempts).toMatchObject([{ errorCode: 'only_reasoning', reasoningTokens: 40 }])
  })

  it('with its own message never passes it to callers of runs', async () => {
    const said = 'The prompt of Ana at db7.internal is no good'
    for (const status of [400, 401, 402, 403, 404, 413, 422, 429, 500]) {
      server.script({ status, body: { error: { message: said } } })
      const { error } = await streamText(
        modelsForTest()({ targets: [one()], retry: { attemptsPerModel: 1 } }).model,
      )
      expect((error as ChatModelError).message).not.toContain('Ana')
      expect((error as ChatModelError).providerMessage).toBe(said)
    }
  })
})
