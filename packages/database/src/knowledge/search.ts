import { type SqlDriver, statement, storableJson, storableText } from '@troupe/sql'
import type { ChunkFilter, FoundChunk, KnowledgeStore } from './port.ts'
import type { VectorIndexes } from './vector-indexes.ts'

type Filter = 'bases' | 'filters' | 'limit'

/** Chunks of ready documents with the metadata, as a FROM item and its conditions. */
const READY = 'knowledge_chunks c join knowledge_documents d on d.id = c.document_id'
const within = (p: Record<Filter, string>) =>
  `c.set_id = any(array(select set_id from knowledge_bases where id = any(${p.bases}::uuid[]))) and d.status = 'ready' and d.metadata @> ${p.filters}::jsonb`

/**
 * Up to so many chunks, comparing all of them is fast enough and finds every one. The index would pass by most chunks of
 * a large table to find those of a small base or a rare filter.
 */
const FEW_CHUNKS = 2_000

const COUNT = statement<'bases' | 'filters'>(
  'count_knowledge_chunks',
  (p) => `
select coalesce(sum(chunks), 0)::int as chunks from knowledge_documents d
where base_id = any(${p.bases}::uuid[]) and status = 'ready' and metadata @> ${p.filters}::jsonb`,
)

/** Without pgvector: the product of two vectors of length 1 is their cosine. */
const PRODUCT = (vector: string) =>
  `(select sum(x::float8 * y) from unnest(c.embedding, ${vector}::real[]) as pair (x, y))`
const COSINE = (vector: string, dims: number) =>
  `1 - (c.embedding::halfvec(${dims}) <=> ${vector}::halfvec(${dims}))`

/** Compares every vector. Materialised, so that the planner does not use the index. */
function nearestOfAll(dims: number, isPgvector: boolean) {
  return statement<Filter | 'vector'>(
    `nearest_knowledge_of_all_${dims}${isPgvector ? '_pgvector' : ''}`,
    (p) => `
with compared as materialized (
  select c.id, ${isPgvector ? COSINE(p.vector, dims) : PRODUCT(p.vector)} as similarity
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
  select c.id, ${COSINE(p.vector, dims)} as similarity
  from ${READY} where ${within(p)} and c.dims = ${dims}
  order by c.embedding::halfvec(${dims}) <=> ${p.vector}::halfvec(${dims}) limit ${p.limit}::int
)
select id, similarity from found order by similarity desc, id`,
  )
}

/**
 * More candidates than by default for better recall, and on past chunks of other bases until there are enough. Not
 * `strict_order`: it drops what it finds late, although that may be the nearest.
 */
const INDEX_SETTINGS = {
  name: 'knowledge_index_settings',
  text: `select set_config('hnsw.iterative_scan', 'relaxed_order', true), set_config('hnsw.ef_search', '120', true)`,
}

/** Any word: a question rarely holds every word of its answer. */
const MATCHING = statement<Filter | 'lang' | 'text'>(
  'matching_knowledge',
  (p) => `
select c.id from ${READY},
  (select replace(plainto_tsquery(${p.lang}::regconfig, ${p.text})::text, ' & ', ' | ')::tsquery as words) q
where ${within(p)} and c.tsv @@ q.words
order by ts_rank_cd(c.tsv, q.words, 1) desc, c.id limit ${p.limit}::int`,
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
): Pick<KnowledgeStore, 'nearest' | 'matching' | 'chunks' | 'vectorSearch'> {
  return {
    vectorSearch: () => indexes.search(),
    async nearest(filter, vector) {
      const dims = vector.length
      const isPgvector = await indexes.installed()
      // The text of an array and of a vector of pgvector differ in their brackets.
      const values = isPgvector ? `[${vector.join(',')}]` : listed(vector)
      const parameters = { ...parametersOf(filter), vector: values }
      const [counted] = await driver.query<{ chunks: number }>(...COUNT(parameters))
      if (!isPgvector || (counted?.chunks ?? 0) <= FEW_CHUNKS) {
        return driver.query<Similar>(...nearestOfAll(dims, isPgvector)(parameters))
      }
      return driver.transaction(async (client) => {
        await client.query(INDEX_SETTINGS, [])
        return client.query<Similar>(...nearestByIndex(dims)(parameters))
      })
    },
    async matching(filter, lang, text) {
      const rows = await driver.query<{ id: string }>(
        ...MATCHING({ ...parametersOf(filter), lang, text: storableText(text) }),
      )
      return rows.map(({ id }) => id)
    },
    chunks: (ids) => driver.query<FoundChunk>(...CHUNKS({ ids: listed(ids) })),
  }
}
