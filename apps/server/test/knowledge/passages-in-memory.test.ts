import {
  checkedId,
  type KnowledgeBase,
  KnowledgeBaseId,
  type KnowledgeDocument,
  KnowledgeDocumentId,
} from '@troupe/contract'
import { PassageCache } from '@troupe/storage'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'

const PATH = '/api/v1/knowledge-bases'
const MB = 1024 * 1024

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({
    overrides: {
      embeddings: { embed: async ({ texts }) => texts.map((text) => [1, text.length % 7]) },
    },
  })
})
afterAll(() => server[Symbol.asyncDispose]())

const created = async (): Promise<KnowledgeBaseId> => {
  const embedding = { llm_config_id: server.seed.llm.organization, model_id: 'one' }
  const { body } = await server.call(`POST ${PATH}`, { body: { name: 'Words', embedding } })
  return checkedId(KnowledgeBaseId, (body as KnowledgeBase).knowledgeBaseId)
}
const ingest = () => server.context.knowledge.ingest.work()
const store = () => server.context.database.knowledge

async function add(baseId: string, text: string): Promise<string> {
  const { body } = await server.call(`POST ${PATH}/${baseId}/documents`, { body: { name: 'a.md', text } })
  await ingest()
  return (body as KnowledgeDocument).documentId
}

const reread = (documentId: string) =>
  server.context.database.transaction(({ write }) =>
    write.knowledge.requeue(server.seed.organizationId, checkedId(KnowledgeDocumentId, documentId)),
  )

async function setsOf(baseIds: readonly KnowledgeBaseId[]) {
  return server.context.database.read.knowledge.bases(server.seed.organizationId, baseIds)
}

const cacheOf = (maxBytes = 64 * MB) =>
  new PassageCache({
    store: store(),
    withVectors: true,
    maxBytes,
    onDefect: (error) => {
      throw error
    },
  })

type Matching = NonNullable<Awaited<ReturnType<PassageCache['matching']>>>

/** Ignores the order of equal ranks. */
function shown({ chunks, words }: Matching) {
  const lists = words.map((one) => ({ ...one, ids: one.ids.toSorted() }))
  return {
    chunks: words.length === 0 ? 0 : chunks,
    words: lists.toSorted((a, b) => (a.word === b.word ? b.gain - a.gain : a.word < b.word ? -1 : 1)),
  }
}

const WORDS = ['refund', 'refunds', 'days', 'shipping', 'Norway', 'the', 'x1', 'ähnlich']
const text = fc
  .array(fc.constantFrom(...WORDS, '\n\n# Heading\n\n'), { minLength: 1, maxLength: 60 })
  .map((words) => `${words.join(' ')} end`)
const change = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('add'), base: fc.nat(1), text }) },
  fc.record({ kind: fc.constantFrom('delete', 'reread'), base: fc.nat(1), at: fc.nat(9) }),
  fc.record({ kind: fc.constant('switch'), base: fc.nat(1), model: fc.constantFrom('one', 'two') }),
)

test('passages in memory are found as by SQL after every change of the documents', async () => {
  const property = fc.asyncProperty(
    fc.array(change, { minLength: 1, maxLength: 6 }),
    text,
    async (changes, question) => {
      await using cache = cacheOf()
      const baseIds = [await created(), await created()]
      const documents: string[][] = [[], []]
      for (const one of changes) {
        const path = `${PATH}/${baseIds[one.base]}`
        const known = documents[one.base] ?? []
        if ('text' in one) known.push(await add(baseIds[one.base] ?? '', `${one.text} ${known.length}`))
        else if ('model' in one) {
          const embedding = { llm_config_id: server.seed.llm.organization, model_id: one.model }
          await server.call(`PUT ${path}`, { body: { embedding } })
        } else {
          const [id] = one.kind === 'delete' ? known.splice(one.at % 3, 1) : known.slice(one.at % 3)
          if (id === undefined) continue
          if (one.kind === 'delete') await server.call(`DELETE ${path}/documents/${id}`)
          else await reread(id)
        }
        await ingest()
        const sets = await setsOf(baseIds)
        const filter = { baseIds, setIds: sets.map(({ setId }) => setId), filters: {} }
        const bySql = await store().matching(filter, 'english', question)
        const atOnce = await cache.matching(sets, 'english', question)
        if (atOnce !== null) expect(shown(atOnce)).toEqual(shown(bySql))
        await cache.settled()
        const inMemory = await cache.matching(sets, 'english', question)
        if (inMemory === null) throw new Error('the words of a settled cache are known')
        expect(shown(inMemory)).toEqual(shown(bySql))
        const vector = [0.6, 0.8]
        const exact = await store().nearest({ ...filter, limit: 5 }, vector)
        const compared = (await cache.nearest(sets, vector, 5)) ?? []
        expect(compared.map(({ id }) => id)).toEqual(exact.map(({ id }) => id))
        for (const [at, { similarity }] of compared.entries()) {
          expect(similarity).toBeCloseTo(exact[at]?.similarity ?? 0, 2)
        }
      }
    },
  )
  await fc.assert(property, { numRuns: 15 })
}, 120_000)

test('a set is loaded when it is searched, and for a new document only that document', async () => {
  const baseId = await created()
  await add(baseId, 'Refunds take 14 days.')
  const read: number[] = []
  await using cache = new PassageCache({
    store: {
      ...store(),
      readChunks: (setId, parts, withVectors) => {
        read.push(parts.length)
        return store().readChunks(setId, parts, withVectors)
      },
    },
    withVectors: false,
    maxBytes: MB,
    onDefect: () => {},
  })
  const matching = async () => cache.matching(await setsOf([baseId]), 'english', 'refund')
  expect(await matching()).toBeNull()
  await cache.settled()
  expect(await matching()).toMatchObject({ chunks: 1, words: [{ word: 'refund', gain: 1, isCut: false }] })
  await add(baseId, 'No refunds for gift cards.')
  expect(await matching()).toBeNull()
  await cache.settled()
  expect((await matching())?.words[0]?.ids).toHaveLength(2)
  expect(read).toEqual([1, 1])
})

test('a set that exceeds the cache is searched by SQL', async () => {
  const baseId = await created()
  await add(baseId, Array.from({ length: 200 }, (_, n) => `word${n}`).join(' '))
  await using cache = cacheOf(2_000)
  for (let n = 0; n < 2; n += 1) {
    expect(await cache.matching(await setsOf([baseId]), 'english', 'word7')).toBeNull()
    await cache.settled()
  }
})
