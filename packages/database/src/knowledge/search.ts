import { type SqlDriver, statement, storableJson, storableText } from '@troupe/sql'
import type { Database } from '../database.ts'
import type { ChunkFilter, FoundChunk, KnowledgeStore } from './port.ts'
import { type VectorIndexes, vectorType } from './vector-indexes.ts'

type Filter = 'bases' | 'filters' | 'limit'

/** Chunks of ready documents with the metadata, as a FROM item and its conditions. */
const READY = 'knowledge_chunks c join knowledge_documents d on d.id = c.document_id'
const within = (p: Record<Filter, string>) =>
  `c.set_id = any(array(select set_id from knowledge_bases where id = any(${p.bases}::uuid[]))) and d.status = 'ready' and d.metadata @> ${p.filters}::jsonb`

/** Up to so many chunks, comparing all of them is fast enough and finds every one. */
const FEW_CHUNKS = 500

/**
 * The index passes by most chunks of a large table to find those of a small base or a rare filter: `limit` of n chunks in
 * a table of t take it about t / n * limit steps, each as long as three comparisons.
 */
function isIndexFaster({ chunks, inTable }: { chunks: number; inTable: number }, limit: number): boolean {
  return chunks > Math.max(FEW_CHUNKS, Math.sqrt(3 * limit * inTable))
}

/** The size of the table as the planner knows it: 0 or too low in the embedded database, which is small. */
const COUNT = statement<'bases' | 'filters'>(
  'count_knowledge_chunks',
  (p) => `
select coalesce(sum(chunks), 0)::int as chunks,
  (select greatest(reltuples, 0)::float8 from pg_class where oid = 'knowledge_chunks'::regclass) as "inTable"
from knowledge_documents d
where base_id = any(${p.bases}::uuid[]) and status = 'ready' and metadata @> ${p.filters}::jsonb`,
)

/** Without pgvector: the product of two vectors of length 1 is their cosine. */
const PRODUCT = (vector: string) =>
  `(select sum(x::float8 * y) from unnest(c.embedding, ${vector}::real[]) as pair (x, y))`
/** The expression of the index. */
const DISTANCE = (vector: string, dims: number) =>
  `c.embedding::${vectorType(dims)} <=> ${vector}::${vectorType(dims)}`

/** Compares every vector. Materialised, so that the planner does not use the index. */
function nearestOfAll(dims: number, isPgvector: boolean) {
  return statement<Filter | 'vector'>(
    `nearest_knowledge_of_all_${dims}${isPgvector ? '_pgvector' : ''}`,
    (p) => `
with compared as materialized (
  select c.id, ${isPgvector ? `1 - (${DISTANCE(p.vector, dims)})` : PRODUCT(p.vector)} as similarity
  from ${READY} where ${within(p)} and c.dims = ${dims}
)
select id, similarity from compared order by similarity desc, id limit ${p.limit}::int`,
  )
}

/** Asks the index, which gives later chunks slightly out of order. */
function nearestByIndex(dims: number) {
  return statement<Filter | 'vector'>(
    `nearest_knowledge_by_index_${dims}`,
    (p) => `
with found as materialized (
  select c.id, 1 - (${DISTANCE(p.vector, dims)}) as similarity
  from ${READY} where ${within(p)} and c.dims = ${dims}
  order by ${DISTANCE(p.vector, dims)} limit ${p.limit}::int
)
select id, similarity from found order by similarity desc, id`,
  )
}

/**
 * More candidates than by default for better recall, and on past chunks of other bases until there are enough. Not
 * `strict_order`: it drops what it finds late, although that may be the nearest. Without statistics, as in the embedded
 * database, the planner would rather sort all chunks by their distance (1.3 s instead of 8 ms for 10,000).
 */
const INDEX_SETTINGS = {
  name: 'knowledge_index_settings',
  text: `select set_config('hnsw.iterative_scan', 'relaxed_order', true), set_config('hnsw.ef_search', '120', true),
  set_config('enable_sort', 'off', true)`,
}

/** Any word: a question rarely holds every word of its answer. */
const WORDS = (p: Record<'lang' | 'text', string>) =>
  `select replace(plainto_tsquery(${p.lang}::regconfig, ${p.text})::text, ' & ', ' | ')::tsquery as words`

const MATCHING = statement<Filter | 'lang' | 'text'>(
  'matching_knowledge',
  (p) => `
select c.id from ${READY}, (${WORDS(p)}) q
where ${within(p)} and c.tsv @@ q.words
order by ts_rank_cd(c.tsv, q.words, 1) desc, c.id limit ${p.limit}::int`,
)

/**
 * For the embedded database: the index of words comes first, and only what it finds is read. Without statistics the planner
 * would read the words of every chunk of the bases (0.8 s instead of 0.3 s of 10,000, a third of which match).
 */
const MATCHING_BY_WORDS_FIRST = statement<Filter | 'lang' | 'text'>(
  'matching_knowledge_by_words_first',
  (p) => `
with found as materialized (
  select c.id, c.set_id, c.document_id, c.tsv, q.words
  from knowledge_chunks c, (${WORDS(p)}) q where c.tsv @@ q.words
)
select c.id from found c join knowledge_documents d on d.id = c.document_id where ${within(p)}
order by ts_rank_cd(c.tsv, c.words, 1) desc, c.id limit ${p.limit}::int`,
)

const CHUNKS = statement<'ids'>(
  'knowledge_chunks',
  (p) => `
select c.id, d.id as "documentId", d.name as "documentName", c.page, d.url, c.text
from ${READY} where c.id = any(${p.ids}::uuid[]) and d.status = 'ready'`,
)

const listed = (values: readonly (string | number)[]) => `{${values.join(',')}}`

const parametersOf = ({ baseIds, filters, limit }: ChunkFilter) => ({
  bases: listed(baseIds),
  filters: storableJson(filters),
  limit,
})

interface Similar {
  id: string
  similarity: number
}

/** Searches over the chunks of ready documents. */
export function searchStore(
  driver: SqlDriver,
  indexes: VectorIndexes,
  kind: Database['kind'],
): Pick<KnowledgeStore, 'nearest' | 'matching' | 'chunks' | 'vectorSearch'> {
  const matching = kind === 'pglite' ? MATCHING_BY_WORDS_FIRST : MATCHING
  return {
    vectorSearch: () => indexes.search(),
    async nearest(filter, vector) {
      const dims = vector.length
      const isPgvector = await indexes.installed()
      // The text of an array and of a vector of pgvector differ in their brackets.
      const values = isPgvector ? `[${vector.join(',')}]` : listed(vector)
      const parameters = { ...parametersOf(filter), vector: values }
      const [counted] = await driver.query<{ chunks: number; inTable: number }>(...COUNT(parameters))
      if (!isPgvector || !counted || !isIndexFaster(counted, filter.limit)) {
        return driver.query<Similar>(...nearestOfAll(dims, isPgvector)(parameters))
      }
      return driver.transaction(async (client) => {
        await client.query(INDEX_SETTINGS, [])
        return client.query<Similar>(...nearestByIndex(dims)(parameters))
      })
    },
    async matching(filter, lang, text) {
      const rows = await driver.query<{ id: string }>(
        ...matching({ ...parametersOf(filter), lang, text: storableText(text) }),
      )
      return rows.map(({ id }) => id)
    },
    chunks: (ids) => driver.query<FoundChunk>(...CHUNKS({ ids: listed(ids) })),
  }
}
