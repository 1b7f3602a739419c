import { isDeepStrictEqual } from 'node:util'
import type { EmbeddingModels } from '@troupe/agents/ports'
import { checkedId, type KnowledgeBase, KnowledgeBaseId } from '@troupe/contract'
import { openDatabase } from '@troupe/storage'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { ClusteredVectors } from '../load/clustered-vectors.ts'
import { median, quantile } from '../load/statistics.ts'
import { dataFolder } from '../targets/troupe.ts'

/** About three minutes on a quiet machine with two cores; fewer on a busy one: `KNOWLEDGE_DOCUMENTS=150`. */
const DOCUMENTS = Number(process.env.KNOWLEDGE_DOCUMENTS ?? 1_000)
const SECTIONS = 10
const CHARACTERS_PER_SECTION = 1_200
/** A page of a book. */
const CHARACTERS_PER_PAGE = 3_000
const QUERIES = 100
const WORDS_PER_QUERY = 6
const TOP = 5
const PATH = '/api/v1/knowledge-bases'

/** In milliseconds. */
interface Quantiles {
  p50: number
  p95: number
}

/** The cost of knowledge bases with an embedding model that answers without delay. */
export interface KnowledgeRow {
  documents: number
  chunks: number
  pagesPerSecond: number
  /** CPU of the process for each page, in milliseconds. */
  processorMsPerPage: number
  /** Resident memory after a tenth, after half and after all of the documents, in MB. */
  residentMb: readonly [number, number, number]
  /** A search by `POST /knowledge-bases/search`, in milliseconds. */
  search: Quantiles
  /** The same when the passages of the base are not in memory. */
  searchBySql: Quantiles
  /** The nearest vectors alone, in milliseconds. */
  nearest: Quantiles
  /** The same from memory, where the database has no index of vectors. */
  nearestInMemory: Quantiles | null
  /** The matching words alone, from memory and by SQL. */
  words: Quantiles
  wordsBySql: Quantiles
  /** How vectors are compared. */
  vectorSearch: 'pgvector' | 'exact'
  /** Share of the five nearest passages that are found. */
  recall: number
}

/** Words with the skew of a language: the word `w0` is the most frequent of 5,000. */
function words(vectors: ClusteredVectors, count: number): string {
  return Array.from({ length: count }, () => `w${Math.floor(5_000 * vectors.random() ** 2)}`).join(' ')
}

function textOf(vectors: ClusteredVectors, document: number): string {
  const sections = Array.from({ length: SECTIONS }, (_, section) => {
    const text = words(vectors, CHARACTERS_PER_SECTION / 6)
    return `# S${document * SECTIONS + section}\n\n${text}`
  })
  return sections.join('\n\n')
}

/** A model whose texts name their vectors: `S12` is the twelfth of a section, `Q12` one near it. */
function namedVectors(vectors: ClusteredVectors): EmbeddingModels {
  return {
    async embed({ texts }) {
      return texts.map((text) => {
        const [, kind, n] = /\b([SQ])(\d+)\b/.exec(text) ?? []
        return [...(kind === 'Q' ? vectors.near(Number(n)) : vectors.at(Number(n)))]
      })
    },
  }
}

/** Reads documents into a base, of an embedded database on disk without a URL, then searches it. */
export async function measureKnowledge(databaseUrl: string | null): Promise<KnowledgeRow> {
  await using folder = await dataFolder()
  await using database = await openDatabase(
    databaseUrl === null
      ? { kind: 'pglite', directory: folder.path }
      : { kind: 'postgres', url: databaseUrl, poolSize: 10, replicas: false },
  )
  const vectors = new ClusteredVectors({ count: DOCUMENTS * SECTIONS, dims: 384, clusters: 200 })
  await using server = await startTestServer({
    overrides: { database, embeddings: namedVectors(vectors) },
  })
  const embedding = { llm_config_id: server.seed.llm.organization, model_id: 'bench' }
  const created = await server.call(`POST ${PATH}`, { body: { name: 'Bench', embedding } })
  const { knowledgeBaseId } = created.body as KnowledgeBase
  const ingest = await ingestAll(server, vectors, knowledgeBaseId)
  return { ...ingest, ...(await searchAll(server, vectors, checkedId(KnowledgeBaseId, knowledgeBaseId))) }
}

/** Searches with the passages in memory and by SQL, in turns. */
async function searchAll(server: TestServer, vectors: ClusteredVectors, baseId: KnowledgeBaseId) {
  const { knowledge, read } = server.context.database
  const { search } = server.context.knowledge
  const inMemory = search.passages
  const bySql = { matching: async () => null, nearest: async () => null }
  const bases = await read.knowledge.bases(server.seed.organizationId, [baseId])
  const filter = { baseIds: [baseId], filters: {}, limit: 40 }
  const times = {
    search: [],
    searchBySql: [],
    nearest: [],
    nearestInMemory: [],
    words: [],
    wordsBySql: [],
  } as Record<'search' | 'searchBySql' | 'nearest' | 'nearestInMemory' | 'words' | 'wordsBySql', number[]>
  const timed = async <T>(name: keyof typeof times, work: () => Promise<T>): Promise<T> => {
    const before = performance.now()
    const result = await work()
    times[name].push(performance.now() - before)
    return result
  }
  await inMemory.matching(bases, 'english', 'first')
  await server.context.knowledge.passages.settled()
  const vectorSearch = await knowledge.vectorSearch()
  const isExact = vectorSearch === 'exact'
  let found = 0
  for (let n = 0; n < QUERIES; n += 1) {
    const of = Math.floor((n * DOCUMENTS * SECTIONS) / QUERIES)
    const query = `Q${of} ${words(vectors, WORDS_PER_QUERY)}`
    for (const [name, how] of [
      ['search', inMemory],
      ['searchBySql', bySql],
    ] as const) {
      search.passages = how
      const { status } = await timed(name, () =>
        server.call(`POST ${PATH}/search`, { body: { base_ids: [baseId], query } }),
      )
      if (status !== 200) throw new Error(`a search answered ${status}`)
    }
    await timed('words', () => inMemory.matching(bases, 'english', query))
    await timed('wordsBySql', () => knowledge.matching(filter, 'english', query))
    const near = vectors.near(of)
    const nearest = await timed('nearest', () => knowledge.nearest(filter, near))
    const alsoNearest = await timed('nearestInMemory', () => inMemory.nearest(bases, near, filter.limit))
    if (alsoNearest !== null && !isDeepStrictEqual(alsoNearest, nearest))
      throw new Error('memory and SQL differ')
    const texts = await knowledge.chunks(nearest.slice(0, TOP).map(({ id }) => id))
    const places = new Set(texts.map(({ text }) => Number(/S(\d+)/.exec(text)?.[1])))
    found += vectors.nearest(of, TOP).filter((place) => places.has(place)).length
  }
  const quantiles = (values: readonly number[]) => ({ p50: median(values), p95: quantile(values, 0.95) })
  return {
    search: quantiles(times.search),
    searchBySql: quantiles(times.searchBySql),
    nearest: quantiles(times.nearest),
    nearestInMemory: isExact ? quantiles(times.nearestInMemory) : null,
    words: quantiles(times.words),
    wordsBySql: quantiles(times.wordsBySql),
    vectorSearch,
    recall: found / (QUERIES * TOP),
  }
}

async function ingestAll(server: TestServer, vectors: ClusteredVectors, id: string) {
  const resident: number[] = []
  const processor = process.cpuUsage()
  const before = performance.now()
  for (let document = 0; document < DOCUMENTS; document += 1) {
    const body = { name: `${document}.md`, text: textOf(vectors, document) }
    const { status } = await server.call(`POST ${PATH}/${id}/documents`, { body })
    if (status !== 202) throw new Error(`a document answered ${status}`)
    await server.context.knowledge.ingest.work()
    if ([DOCUMENTS / 10, DOCUMENTS / 2, DOCUMENTS].includes(document + 1)) {
      resident.push(process.memoryUsage.rss() / 1024 / 1024)
      console.error(`${document + 1} documents after ${((performance.now() - before) / 1000).toFixed(0)} s`)
    }
  }
  const seconds = (performance.now() - before) / 1000
  const { user, system } = process.cpuUsage(processor)
  const { body } = await server.call(`GET ${PATH}/${id}`)
  const { chunks } = body as KnowledgeBase
  const pages = (DOCUMENTS * SECTIONS * CHARACTERS_PER_SECTION) / CHARACTERS_PER_PAGE
  const [tenth = 0, half = 0, all = 0] = resident
  return {
    documents: DOCUMENTS,
    chunks,
    pagesPerSecond: pages / seconds,
    processorMsPerPage: (user + system) / 1000 / pages,
    residentMb: [tenth, half, all] as const,
  }
}
