import type { ModelAttempt, ProviderConnection } from '@troupe/agents/ports'
import { LlmConfigId, newId, type ProviderId } from '@troupe/contract'
import { expect, test } from 'vitest'
import { createRerankingModels } from './create-reranking-models.ts'

interface Sent {
  url: string
  headers: Headers
  body: unknown
}

function rerank(providerId: ProviderId, modelId: string, answer: Response) {
  const sent: Sent[] = []
  const attempts: ModelAttempt[] = []
  const connection: ProviderConnection = {
    llmConfigId: newId(LlmConfigId),
    version: 1,
    providerId,
    baseUrl: 'http://models.test/v1',
    credentials: { apiKey: 'the-key' },
    settings: { region: 'eu-central-1' },
  }
  const order = createRerankingModels({
    fetch: async (url, init) => {
      sent.push({
        url: String(url),
        headers: new Headers(init?.headers),
        body: JSON.parse(String(init?.body)),
      })
      return answer
    },
  }).rerank({
    connection,
    modelId,
    query: 'How long do refunds take?',
    texts: ['Norway', 'Refunds take 14 days', 'Refunds'],
    signal: new AbortController().signal,
    onAttempt: (attempt) => attempts.push(attempt),
  })
  return { order, sent, attempts }
}

test('a rerank model of an OpenAI-compatible server is called by /rerank', async () => {
  const results = [
    { index: 2, relevance_score: 0.2 },
    { index: 1, relevance_score: 0.9 },
    { index: 7, relevance_score: 1 },
    { index: 'x' },
  ]
  const { order, sent, attempts } = rerank('openai-compatible', 'bge-reranker-v2', Response.json({ results }))
  expect(await order).toEqual([1, 2])
  expect(sent[0]?.url).toBe('http://models.test/v1/rerank')
  expect(sent[0]?.headers.get('authorization')).toBe('Bearer the-key')
  expect(sent[0]?.body).toMatchObject({
    model: 'bge-reranker-v2',
    top_n: 3,
    documents: ['Norway', {}, {}].map(() => expect.any(String)),
  })
  expect(attempts).toMatchObject([{ ok: true, modelId: 'bge-reranker-v2' }])
})

test('a rerank model of Bedrock is called by the AI SDK', async () => {
  const results = [{ index: 1, relevanceScore: 0.9 }]
  const { order, sent } = rerank('amazon-bedrock', 'cohere.rerank-v3-5:0', Response.json({ results }))
  expect(await order).toEqual([1])
  expect(sent[0]?.url).toContain('/rerank')
})

test('a chat model is not a rerank model', async () => {
  for (const providerId of ['openai-compatible', 'amazon-bedrock', 'anthropic'] as const) {
    const { order, sent } = rerank(providerId, 'chat-1', Response.json({}))
    expect([await order, sent]).toEqual([null, []])
  }
})

test('a refused request and an answer without a ranking are failures', async () => {
  const refused = rerank('openai-compatible', 'reranker', new Response('no', { status: 401 }))
  await expect(refused.order).rejects.toMatchObject({ name: 'ChatModelError' })
  expect(refused.attempts).toMatchObject([{ ok: false, errorCode: 'http_401' }])
  const large = rerank('openai-compatible', 'reranker', new Response('x'.repeat(2_100_000)))
  await expect(large.order).rejects.toMatchObject({ name: 'ChatModelError' })
})

test('the sandbox puts texts with the words of the question first', async () => {
  const { order } = rerank('sandbox', 'sandbox-1', Response.json({}))
  expect(await order).toEqual([1, 2, 0])
})
