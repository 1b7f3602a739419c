import type { KnowledgeBase, KnowledgeDocument } from '@troupe/contract'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, expect, test } from 'vitest'

const PATH = '/api/v1/knowledge-bases'
const QUESTION = 'How long do refunds take?'
const TEXT = '# Refunds\n\nThey take 14 days.\n\n# Opening hours\n\nFrom 9 to 17.\n'

let server: TestServer
/** Runs once, while a question is being embedded. */
let meanwhile: (() => Promise<unknown>) | null = null

/** `short` makes vectors of two values, `long` of three. */
function vectorOf(modelId: string, text: string): number[] {
  const isAbout = /refund/i.test(text)
  const asks = text === QUESTION ? 0.4 : 0
  return modelId === 'short'
    ? [isAbout ? 1 : 0.1, isAbout ? asks : 1]
    : [asks / 2, isAbout ? 0.1 : 1, isAbout ? 1 : 0.1]
}

beforeAll(async () => {
  server = await startTestServer({
    overrides: {
      embeddings: {
        async embed({ modelId, texts }) {
          const hook = texts[0] === QUESTION ? meanwhile : null
          meanwhile = hook === null ? meanwhile : null
          await hook?.()
          return texts.map((text) => vectorOf(modelId, text))
        },
      },
    },
  })
})
afterAll(() => server[Symbol.asyncDispose]())

const embeddingBy = (model_id: string) => ({ llm_config_id: server.seed.llm.organization, model_id })

async function search(body: object) {
  const answer = await server.call(`POST ${PATH}/search`, { body: { query: QUESTION, top_k: 5, ...body } })
  expect(answer.status).toBe(200)
  return (answer.body as { data: { text: string; similarity: number | null }[] }).data
}

test('a search overtaken by a switch of vectors finds the same as before it', async () => {
  const created = await server.call(`POST ${PATH}`, {
    body: { name: 'Handbook', embedding: embeddingBy('short') },
  })
  const { knowledgeBaseId } = created.body as KnowledgeBase
  const path = `${PATH}/${knowledgeBaseId}`
  const added = await server.call(`POST ${path}/documents`, { body: { name: 'a.md', text: TEXT } })
  const { documentId } = added.body as KnowledgeDocument
  await server.context.knowledge.ingest.work()
  expect((await server.call(`GET ${path}/documents/${documentId}`)).body).toMatchObject({ status: 'ready' })
  const asked = { base_ids: [knowledgeBaseId], min_score: 0.5 }
  const before = await search(asked)
  expect(before.map(({ text }) => text)).toEqual([expect.stringContaining('14 days')])

  meanwhile = async () => {
    await server.call(`PUT ${path}`, { body: { embedding: embeddingBy('long') } })
    await server.context.knowledge.ingest.work()
    const { body } = await server.call(`GET ${path}`)
    expect(body).toMatchObject({ embedding: embeddingBy('long'), next_embedding: null })
  }
  expect(await search(asked)).toEqual(before)
  expect(meanwhile).toBeNull()
  const after = await search(asked)
  expect(after.map(({ text }) => text)).toEqual(before.map(({ text }) => text))
  expect(after[0]?.similarity).not.toBe(before[0]?.similarity)
})
