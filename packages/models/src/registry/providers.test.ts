import type { ProviderId } from '@troupe/contract'
import { type ModelServer, startModelServer } from '@troupe/test-kit/model-server'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { modelsForTest, streamText, targetOf, userSays } from '../testing/open-chain.ts'

describe('a provider bound to a connection', () => {
  let server: ModelServer
  beforeAll(async () => {
    server = await startModelServer()
  })
  beforeEach(() => server.reset())
  afterEach(() => vi.unstubAllEnvs())
  afterAll(() => server.close())

  const connect = (
    providerId: ProviderId,
    settings: Record<string, unknown> = {},
    credentials: Record<string, string> = { apiKey: 'the-key' },
    { modelId = 'some-model', providerOptions = {} } = {},
  ) => {
    const target = targetOf(server.url, modelId, { parameters: { providerOptions } })
    target.connection = { ...target.connection, providerId, settings, credentials }
    return modelsForTest()({ targets: [target], retry: { attemptsPerModel: 1 } }).model
  }

  // Paths other than chat completions return 404: the test is about the destination and the credentials.
  const rows: [ProviderId, Record<string, unknown>, string, string, string][] = [
    ['openai', {}, '/v1/responses', 'authorization', 'Bearer the-key'],
    ['openai', { api: 'chat' }, '/v1/chat/completions', 'authorization', 'Bearer the-key'],
    ['openai', { organization: 'org-1' }, '/v1/responses', 'openai-organization', 'org-1'],
    ['anthropic', {}, '/v1/messages', 'x-api-key', 'the-key'],
    ['google', {}, '/v1/models/some-model:streamGenerateContent', 'x-goog-api-key', 'the-key'],
    ['mistral', {}, '/v1/chat/completions', 'authorization', 'Bearer the-key'],
    ['groq', {}, '/v1/chat/completions', 'authorization', 'Bearer the-key'],
    ['xai', {}, '/v1/responses', 'authorization', 'Bearer the-key'],
    ['azure-openai', {}, '/v1/responses', 'api-key', 'the-key'],
    ['azure-openai', { api: 'chat' }, '/v1/chat/completions', 'api-key', 'the-key'],
    [
      'amazon-bedrock',
      { region: 'eu-west-1' },
      '/v1/model/some-model/converse-stream',
      'authorization',
      'Bearer the-key',
    ],
    ['openai-compatible', { headers: { 'x-tenant': 't1' } }, '/v1/chat/completions', 'x-tenant', 't1'],
  ]
  it.each(rows)(
    '%s with %o calls %s with its %s',
    async (providerId, settings, path, header, value) => {
      await streamText(connect(providerId, settings))
      expect(server.requests).toHaveLength(1)
      expect(server.requests[0]?.path).toBe(path)
      expect(server.requests[0]?.headers[header]).toBe(value)
    },
    15_000,
  )

  it.each([
    'mistral',
    'groq',
    'openai',
    'azure-openai',
  ] as ProviderId[])('%s streams an answer over the chat protocol', async (providerId) => {
    server.script({ text: 'over the wire', chunks: 3 })
    const settings = providerId === 'openai' || providerId === 'azure-openai' ? { api: 'chat' } : {}
    const { text, error } = await streamText(connect(providerId, settings))
    expect(error).toBeUndefined()
    expect(text).toBe('over the wire')
  })

  it.each([
    'openai',
    'azure-openai',
    'xai',
  ] as ProviderId[])('%s requests that the conversation is not stored', async (providerId) => {
    await streamText(connect(providerId))
    expect(server.requests[0]?.body.store).toBe(false)
  })

  // The chat models of the Azure package read those of OpenAI: https://github.com/anomalyco/opencode/pull/20333
  it.each([
    ['azure-openai', { api: 'chat' }],
    ['azure-openai', {}],
    ['openai', { api: 'chat' }],
    ['openai', {}],
  ] as [
    ProviderId,
    Record<string, unknown>,
  ][])('%s with %j sends the configured options of the provider', async (id, settings) => {
    const providerOptions = { user: 'u-1', metadata: { team: 'a' } }
    await streamText(connect(id, settings, undefined, { providerOptions }))
    expect(server.requests[0]?.body).toMatchObject({ user: 'u-1', metadata: { team: 'a' } })
  })

  it('signs a Bedrock request with the access key when there is no API key', async () => {
    vi.stubEnv('AWS_BEARER_TOKEN_BEDROCK', 'of-the-operator')
    await streamText(
      connect('amazon-bedrock', { region: 'eu-west-1' }, { accessKeyId: 'AKIA1', secretAccessKey: 's' }),
    )
    expect(server.requests[0]?.headers.authorization).toMatch(/^AWS4-HMAC-SHA256 Credential=AKIA1\//)
  })

  it('never falls back to a key or URL in the environment of the operator', async () => {
    vi.stubEnv('OPENAI_API_KEY', 'of-the-operator')
    vi.stubEnv('OPENAI_BASE_URL', 'http://127.0.0.1:9/v1')
    await streamText(connect('openai', {}, {}))
    expect(server.requests[0]?.headers.authorization).not.toContain('of-the-operator')
  })

  it('sends an OpenAI-compatible server without a key no authorization', async () => {
    await streamText(connect('openai-compatible', {}, {}))
    expect(server.requests[0]?.headers).not.toHaveProperty('authorization')
  })

  it.each([
    ['google', {}, 'tuned/a:b@1', '/v1/tuned/a%3Ab%401:streamGenerateContent'],
    [
      'azure-openai',
      { api: 'chat', deploymentUrls: true },
      'team/a+b',
      '/v1/deployments/team%2Fa%2Bb/chat/completions',
    ],
    ['amazon-bedrock', { region: 'eu-west-1' }, 'arn:aws/x', '/v1/model/arn%3Aaws%2Fx/converse-stream'],
  ] as [
    ProviderId,
    Record<string, unknown>,
    string,
    string,
  ][])('%s with %o puts the model id %s into its path only', async (providerId, settings, modelId, path) => {
    await streamText(connect(providerId, settings, { apiKey: 'the-key' }, { modelId }))
    expect(server.requests[0]?.path.split('?')[0]).toBe(path)
  })

  it.each([
    'google',
    'azure-openai',
    'openai-compatible',
  ] as ProviderId[])('%s is never called with a stored id that leaves its path', async (providerId) => {
    const modelId = '../../../admin/secrets?x='
    const { error } = await streamText(
      connect(providerId, { deploymentUrls: true }, { apiKey: 'k' }, { modelId }),
    )
    expect(error).toBeDefined()
    expect(server.requests).toEqual([])
  })

  const RESERVED = {
    ...{ model: 'hostile', MODEL: 'hostile', models: ['hostile'], fallbacks: [{ model: 'hostile' }] },
    ...{ messages: ['hostile'], meſſages: ['hostile'], input: 'hostile', prompt: { id: 'hostile' } },
    ...{ system: 'hostile', instructions: 'hostile', systemInstruction: { parts: [{ text: 'hostile' }] } },
    ...{ conversation: 'hostile', previousResponseId: 'hostile', cachedContent: 'cachedContents/hostile' },
    ...{ tools: ['hostile'], ' tools': ['hostile'], toolChoice: 'hostile', tool_config: { hostile: 1 } },
    ...{ mcpServers: [{ type: 'url', name: 'hostile', url: 'https://a.test' }], stream: 'hostile' },
    ...{ apiKey: 'hostile', headers: { authorization: 'hostile' }, extra_body: { model: 'hostile' } },
    additionalModelRequestFields: { model: 'hostile', tools: ['hostile'], system: 'hostile', top_k: 3 },
  }
  const everyProvider = [...new Map(rows.map((row) => [`${row[0]} ${JSON.stringify(row[1])}`, row])).values()]
  it.each(
    everyProvider,
  )('%s with %o sends no reserved option, whatever a stored configuration has', async (providerId, settings) => {
    await streamText(connect(providerId, settings, undefined, { providerOptions: RESERVED }))
    expect(server.requests).toHaveLength(1)
    const [request] = server.requests
    expect(JSON.stringify([request?.path, request?.headers, request?.body])).not.toContain('hostile')
  })

  it('sends the other options of a stored configuration', async () => {
    const providerOptions = { ...RESERVED, top_k: 3 }
    await streamText(connect('openai-compatible', {}, { apiKey: 'k' }, { providerOptions }))
    expect(server.requests[0]?.body).toMatchObject({
      ...{ model: 'some-model', stream: true, top_k: 3, messages: [{ role: 'user' }] },
      additionalModelRequestFields: { top_k: 3 },
    })
  })

  it('drops the schema for a server that does not support JSON schemas', async () => {
    const model = connect('openai-compatible', { structuredOutputs: false })
    await streamText(model, userSays('x', { responseFormat: { type: 'json', schema: { type: 'object' } } }))
    expect(server.requests[0]?.body.response_format).toEqual({ type: 'json_object' })
  })
})
