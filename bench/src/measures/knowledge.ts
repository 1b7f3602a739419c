import type { EmbeddingModels } from '@troupe/agents/ports'
import { asId, type KnowledgeBase } from '@troupe/contract'
import { openDatabase } from '@troupe/database'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { ClusteredVectors } from '../load/clustered-vectors.ts'
import { median, quantile } from '../load/statistics.ts'
import { dataFolder } from '../targets/troupe.ts'

/** About three minutes on a quiet machine with two cores; fewer on a busy one: `KNOWLEDGE_DOCUMENTS=150`. */
const DOCUMENTS = Number(process.env['KNOWLEDGE_DOCUMENTS'] ?? 1_000)
const SECTIONS = 10
const CHARACTERS_PER_SECTION = 1_200
/** A page of a book. */
const CHARACTERS_PER_PAGE = 3_000
const QUERIES = 100
const WORDS_PER_QUERY = 6
const TOP = 5
const PATH = '/api/v1/knowledge-bases'

/** What knowledge bases cost with an embedding model that answers without delay. */
export interface KnowledgeRow {
  documents: number
  chunks: number
  pagesPerSecond: number
  /** CPU of the process for each page, in milliseconds. */
  processorMsPerPage: number
  /** Resident memory after a tenth, after half and after all of the documents, in MB. */
  residentMb: readonly [number, number, number]
  /** A search by `POST /knowledge-bases/search`, in milliseconds. */
  search: { p50: number; p95: number }
  /** The nearest vectors alone, in milliseconds. */
  nearest: { p50: number; p95: number }
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

/** Reads documents into a base of an embedded database on disk, then searches it. */
export async function measureKnowledge(): Promise<KnowledgeRow> {
  await using folder = await dataFolder()
  await using database = await openDatabase({ kind: 'pglite', directory: folder.path })
  const vectors = new ClusteredVectors({ count: DOCUMENTS * SECTIONS, dims: 384, clusters: 200 })
  await using server = await startTestServer({
    overrides: { database, embeddings: namedVectors(vectors) },
  })
  const embedding = { llm_config_id: server.seed.llm.organization, model_id: 'bench' }
  const created = await server.call(`POST ${PATH}`, { body: { name: 'Bench', embedding } })
  const { knowledgeBaseId } = created.body as KnowledgeBase
  const ingest = await ingestAll(server, vectors, knowledgeBaseId)
  const filter = { baseIds: [asId(knowledgeBaseId)], filters: {}, limit: 40 }
  const times = { search: [] as number[], nearest: [] as number[] }
  let found = 0
  for (let n = 0; n < QUERIES; n += 1) {
    const of = Math.floor((n * DOCUMENTS * SECTIONS) / QUERIES)
    const body = { base_ids: [knowledgeBaseId], query: `Q${of} ${words(vectors, WORDS_PER_QUERY)}` }
    let before = performance.now()
    const { status } = await server.call(`POST ${PATH}/search`, { body })
    times.search.push(performance.now() - before)
    if (status !== 200) throw new Error(`a search answered ${status}`)
    before = performance.now()
    const nearest = await database.knowledge.nearest(filter, vectors.near(of))
    times.nearest.push(performance.now() - before)
    const texts = await database.knowledge.chunks(nearest.slice(0, TOP).map(({ id }) => id))
    const places = new Set(texts.map(({ text }) => Number(/S(\d+)/.exec(text)?.[1])))
    found += vectors.nearest(of, TOP).filter((place) => places.has(place)).length
  }
  const quantiles = (values: readonly number[]) => ({ p50: median(values), p95: quantile(values, 0.95) })
  return {
    ...ingest,
    search: quantiles(times.search),
    nearest: quantiles(times.nearest),
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
