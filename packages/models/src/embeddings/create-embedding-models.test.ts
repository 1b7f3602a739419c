import type { ModelAttempt, ProviderConnection } from '@troupe/agents/ports'
import { LlmConfigId, newId, type ProviderId } from '@troupe/contract'
import { type ModelServer, startModelServer } from '@troupe/test-kit/model-server'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createEmbeddingModels } from './create-embedding-models.ts'

let server: ModelServer
beforeAll(async () => {
  server = await startModelServer()
})
beforeEach(() => server.reset())
afterAll(() => server.close())

function embed(providerId: ProviderId, modelId: string, texts: readonly string[]) {
  const attempts: ModelAttempt[] = []
  const connection: ProviderConnection = {
    llmConfigId: newId(LlmConfigId),
    version: 1,
    providerId,
    baseUrl: server.url,
    credentials: { apiKey: 'the-key' },
    settings: {},
  }
  const vectors = createEmbeddingModels({ fetch }).embed({
    connection,
    modelId,
    texts,
    signal: new AbortController().signal,
    onAttempt: (attempt) => attempts.push(attempt),
  })
  return { vectors, attempts }
}

test.each([
  'openai',
  'azure-openai',
  'openai-compatible',
  'mistral',
] as const)('%s embeds texts in order, and reports its usage', async (providerId) => {
  const { vectors, attempts } = embed(providerId, 'emb-1', ['aaa', 'bbb'])
  expect(await vectors).toHaveLength(2)
  expect((await vectors)[0]).not.toEqual((await vectors)[1])
  expect(attempts).toMatchObject([{ ok: true, modelId: 'emb-1', usageIncomplete: false }])
  expect(server.requests[0]?.path).toBe('/v1/embeddings')
})

test('a provider without embedding models reports that', async () => {
  const { vectors } = embed('anthropic', 'emb-1', ['a'])
  await expect(vectors).rejects.toMatchObject({
    code: 'fatal',
    message: 'Anthropic has no embedding models.',
  })
})

test('the sandbox embeds by words: texts that share them are similar', async () => {
  const { vectors, attempts } = embed('sandbox', 'sandbox-embed-1', [
    'Refunds take days',
    'the refund takes a day',
    'Norway',
  ])
  const [one = [], same = [], other = []] = await vectors
  const product = (a: readonly number[], b: readonly number[]) =>
    a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0)
  expect(one).toHaveLength(256)
  expect(product(one, same)).toBeGreaterThan(product(one, other))
  expect(attempts).toMatchObject([{ inputTokens: 9, ok: true }])
})

test('a model that the sandbox does not know is a failure of the attempt', async () => {
  const { vectors, attempts } = embed('sandbox', 'other', ['a'])
  await expect(vectors).rejects.toMatchObject({
    message: 'The model provider does not know the model other.',
  })
  expect(attempts).toMatchObject([{ ok: false, errorCode: 'model_not_found' }])
})
