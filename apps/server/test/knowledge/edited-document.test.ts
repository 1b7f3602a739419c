import { ChatModelError } from '@troupe/agents/ports'
import type { KnowledgeBase, KnowledgeDocument } from '@troupe/contract'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import { asMember, type BuilderClient } from '../builder/builder-caller.ts'

const PATH = '/api/v1/knowledge-bases'
const QUESTION = 'How long do refunds take?'

let server: TestServer
let eva: BuilderClient
/** Called with the texts of every request before their vectors are returned; a promise delays these. */
let onEmbed: (texts: readonly string[]) => Promise<unknown> = async () => {}

/** Whether vectors have another length than those of the base. */
let isWide = false

/** Texts about refunds match the question; texts about gifts, nearly. */
function vectorOf(text: string): number[] {
  if (/refund/i.test(text)) return [0.9, Math.sqrt(0.19)]
  return /gift/i.test(text) ? [1, 0] : [0, 1]
}

beforeAll(async () => {
  server = await startTestServer({
    overrides: {
      embeddings: {
        async embed({ texts }) {
          await onEmbed(texts)
          if (isWide) return texts.map(() => [1, 0, 0])
          return texts.map((text) => (text === QUESTION ? [1, 0] : vectorOf(text)))
        },
      },
    },
  })
  eva = await asMember(server, 'member', 'Eva')
})
afterEach(() => {
  onEmbed = async () => {}
  isWide = false
})
afterAll(() => server[Symbol.asyncDispose]())

const ingest = () => server.context.knowledge.ingest.work()

async function created(): Promise<string> {
  const embedding = { llm_config_id: server.seed.llm.organization, model_id: 'one' }
  const body = { name: 'Handbook', embedding, chunk_tokens: 50, overlap_tokens: 0 }
  return ((await server.call(`POST ${PATH}`, { body })).body as KnowledgeBase).knowledgeBaseId
}

async function written(baseId: string, name: string, text: string): Promise<KnowledgeDocument> {
  const { body } = await server.call(`POST ${PATH}/${baseId}/documents`, { body: { name, text } })
  await ingest()
  const { documentId } = body as KnowledgeDocument
  return (await server.call(`GET ${PATH}/${baseId}/documents/${documentId}`)).body as KnowledgeDocument
}

async function search(baseId: string, topK = 5): Promise<string[]> {
  const body = { base_ids: [baseId], query: QUESTION, top_k: topK }
  const answer = await server.call(`POST ${PATH}/search`, { body })
  expect(answer.status).toBe(200)
  return (answer.body as { data: { text: string }[] }).data.map(({ text }) => text)
}

/** The result of searches by SQL, and by the memory cache. */
async function found(baseId: string): Promise<string[]> {
  const first = await search(baseId)
  await server.context.knowledge.passages.settled()
  expect(await search(baseId)).toEqual(first)
  return first
}

test('an edited document is found with its old text until the new one was ingested', async () => {
  const baseId = await created()
  const { documentId, contentHash } = await written(baseId, 'refunds.md', 'Refunds take 14 days.')
  const at = `/knowledge-bases/${baseId}/documents/${documentId}`
  expect(await found(baseId)).toEqual(['Refunds take 14 days.'])

  const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  onTestFinished(() => answered.resolve())
  onEmbed = async (texts) => {
    if (!texts.some((text) => text.includes('30 days'))) return
    asked.resolve()
    await answered.promise
  }
  const edit = await eva.send(`PUT ${at}`, { text: 'Refunds take 30 days.', contentHash })
  expect(edit).toMatchObject({ status: 200, body: { status: 'queued', chunks: 1 } })
  await asked.promise
  expect(await found(baseId)).toEqual(['Refunds take 14 days.'])
  expect((await eva.send(`GET ${at}/passages`)).body).toMatchObject({
    data: [{ text: 'Refunds take 14 days.' }],
  })
  expect((await server.call(`GET ${PATH}/${baseId}`)).body).toMatchObject({
    documents: { queued: 1, ready: 0 },
    chunks: 1,
  })
  answered.resolve()
  await ingest()
  expect(await found(baseId)).toEqual(['Refunds take 30 days.'])
  expect((await eva.send(`GET ${at}/passages`)).body).toMatchObject({
    data: [{ text: 'Refunds take 30 days.' }],
  })

  // A text that cannot be embedded removes nothing, and is re-read like any other.
  onEmbed = async (texts) => {
    if (texts.some((text) => text.includes('60 days')))
      throw new ChatModelError('fatal', 'The key is wrong.', '')
  }
  const { body } = await eva.send(`GET ${at}/text`)
  await eva.send(`PUT ${at}`, { text: 'Refunds take 60 days.', contentHash: contentHashOf(body) })
  await ingest()
  expect((await eva.send(`GET ${at}`)).body).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('The key is wrong.'),
    chunks: 1,
  })
  expect(await found(baseId)).toEqual(['Refunds take 30 days.'])
  onEmbed = async () => {}
  expect((await eva.send(`POST ${at}/reread`)).status).toBe(202)
  await ingest()
  expect(await found(baseId)).toEqual(['Refunds take 60 days.'])
})

const contentHashOf = (body: unknown) => (body as { contentHash: string }).contentHash

test('a document whose text and metadata change in one save is not found until its new text was ingested', async () => {
  const baseId = await created()
  const { documentId, contentHash } = await written(baseId, 'refunds.md', 'Refunds take 14 days.')
  expect(await found(baseId)).toEqual(['Refunds take 14 days.'])
  const edit = { text: 'Refunds take 30 days.', contentHash, metadata: { audience: 'public' } }
  const answer = await eva.send(`PUT /knowledge-bases/${baseId}/documents/${documentId}`, edit)
  expect(answer).toMatchObject({ status: 200, body: { status: 'queued', chunks: 0, error: null } })
  await ingest()
  expect(await found(baseId)).toEqual(['Refunds take 30 days.'])
})

test('embedded passages are kept when the provider fails, and deleted when the text can never be searched', async () => {
  const baseId = await created()
  const { documentId, contentHash } = await written(baseId, 'rules.md', 'Refunds take 14 days.')
  const at = `/knowledge-bases/${baseId}/documents/${documentId}`
  let embedded: number[] = []
  /** The sizes of the requests of one ingestion; the second one gets an invalid response. */
  const requests = async (onSecond: () => void) => {
    embedded = []
    onEmbed = async (texts) => {
      embedded.push(texts.length)
      if (embedded.length === 2) onSecond()
    }
    expect((await eva.send(`POST ${at}/reread`)).status).toBe(202)
    await ingest()
    return { embedded, document: (await eva.send(`GET ${at}`)).body }
  }
  const fails = () => {
    throw new ChatModelError('fatal', 'The key is wrong.', '')
  }
  const text = Array.from({ length: 140 }, (_, n) => `Rule ${n}: ${'refunds take days. '.repeat(8)}`).join(
    '\n\n',
  )
  onEmbed = fails
  await eva.send(`PUT ${at}`, { text, contentHash })
  await ingest()
  expect(await requests(fails)).toMatchObject({ embedded: [64, 64], document: { status: 'failed' } })
  const wide = await requests(() => {
    isWide = true
  })
  expect(wide).toMatchObject({
    embedded: [64, expect.any(Number)],
    document: { status: 'failed', error: expect.stringContaining('vectors of 3 values'), chunks: 1 },
  })
  expect(await found(baseId)).toEqual(['Refunds take 14 days.'])
  isWide = false
  const whole = await requests(() => {})
  expect(whole).toMatchObject({ embedded: [64, 64, expect.any(Number)], document: { status: 'ready' } })
})

test('a search overtaken by an edit finds the new text', async () => {
  const baseId = await created()
  await written(baseId, 'gifts.md', 'Gifts are wrapped.')
  const { documentId, contentHash } = await written(baseId, 'refunds.md', 'Refunds take 14 days.')
  await found(baseId)
  let isEdited = false
  onEmbed = async ([text]) => {
    if (text !== QUESTION || isEdited) return
    isEdited = true
    // The words of the question have been searched by now, but not its vector.
    const path = `/knowledge-bases/${baseId}/documents/${documentId}`
    await eva.send(`PUT ${path}`, { text: 'Refunds take 30 days.', contentHash })
    await ingest()
  }
  expect((await search(baseId, 2)).toSorted()).toEqual(['Gifts are wrapped.', 'Refunds take 30 days.'])
  expect(isEdited).toBe(true)
})

test('pages of passages are of one ingestion: the next page of an earlier one is refused', async () => {
  const baseId = await created()
  const rules = (days: number) =>
    Array.from({ length: 6 }, (_, at) => `Rule ${at}: ${`refunds take ${days} days. `.repeat(6)}`).join(
      '\n\n',
    )
  const { documentId, contentHash, chunks } = await written(baseId, 'rules.md', rules(14))
  expect(chunks).toBeGreaterThan(3)
  const at = `/knowledge-bases/${baseId}/documents/${documentId}`
  const { next } = (await eva.send(`GET ${at}/passages?limit=2`)).body as { next: string }
  const page = async () => eva.send(`GET ${at}/passages?limit=2&after=${next}`)
  const second = await page()
  expect(second).toMatchObject({ status: 200, body: { data: [{ index: 2 }, { index: 3 }] } })
  await eva.send(`PUT ${at}`, { text: rules(30), contentHash })
  await ingest()
  expect(await page()).toMatchObject({
    status: 400,
    body: { error: 'validation_error', errors: [{ path: 'after' }] },
  })
  expect((await eva.send(`GET ${at}/passages?limit=2`)).body).toMatchObject({
    data: [{ index: 0, text: expect.stringContaining('30 days') }, {}],
  })
})
