import type { KnowledgeChunkId, KnowledgeDocumentId } from '@troupe/contract'
import { boolean, nullable, number, text, uuid } from '../sql/client/columns.ts'
import type { SqlDriver } from '../sql/client/sql-client.ts'
import { statement } from '../sql/client/statement.ts'
import { storableJson, storableText } from '../sql/client/storable.ts'
import type { ChunkFilter, PassageSearch } from './port.ts'
import { type VectorIndexes, vectorType } from './vector-indexes.ts'
import { askedWords, MOST_CHUNKS, wordStore } from './words.ts'

type Place = 'bases' | 'sets' | 'filters'
type Filter = Place | 'limit'

/** The chunks of the searched readings. */
const SEARCHED =
  'knowledge_chunks c join knowledge_documents d on d.id = c.document_id and d.searched_reading = c.reading'
const setsOf = (p: Record<Place, string>) =>
  `coalesce(${p.sets}::uuid[], array(select set_id from knowledge_bases where id = any(${p.bases}::uuid[])))`
const within = (p: Record<Filter, string>) =>
  `c.set_id = any(${setsOf(p)}) and d.metadata @> ${p.filters}::jsonb`

/** Up to this many chunks, an exhaustive comparison is fast enough and exact. */
const FEW_CHUNKS = 500

/**
 * The index skips most chunks of a large table to find those of a small base or a rare filter: `limit` of n chunks in a
 * table of t cost it about t / n * limit steps, each as long as three comparisons.
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
where base_id = any(${p.bases}::uuid[]) and searched_reading is not null and metadata @> ${p.filters}::jsonb`,
).returning({ chunks: number(), inTable: number() })

/** Without pgvector: the product of two vectors of length 1 is their cosine. */
const PRODUCT = (vector: string) =>
  `(select sum(x::float8 * y) from unnest(c.embedding, ${vector}::real[]) as pair (x, y))`
/** The expression of the index. */
const DISTANCE = (vector: string, dims: number) =>
  `c.embedding::${vectorType(dims)} <=> ${vector}::${vectorType(dims)}`

/** A chunk with its similarity to the question. */
const SIMILAR = { id: uuid<KnowledgeChunkId>(), similarity: number() }

/** Compares every vector. Materialised, so that the planner does not use the index. */
function nearestOfAll(dims: number, isPgvector: boolean) {
  return statement<Filter | 'vector'>(
    `nearest_knowledge_of_all_${dims}${isPgvector ? '_pgvector' : ''}`,
    (p) => `
with compared as materialized (
  select c.id, ${isPgvector ? `1 - (${DISTANCE(p.vector, dims)})` : PRODUCT(p.vector)} as similarity
  from ${SEARCHED} where ${within(p)} and c.dims = ${dims}
)
select id, similarity from compared order by similarity desc, id limit ${p.limit}::int`,
  ).returning(SIMILAR)
}

/** Uses the index, which returns later chunks slightly out of order. */
function nearestByIndex(dims: number) {
  return statement<Filter | 'vector'>(
    `nearest_knowledge_by_index_${dims}`,
    (p) => `
with found as materialized (
  select c.id, 1 - (${DISTANCE(p.vector, dims)}) as similarity
  from ${SEARCHED} where ${within(p)} and c.dims = ${dims}
  order by ${DISTANCE(p.vector, dims)} limit ${p.limit}::int
)
select id, similarity from found order by similarity desc, id`,
  ).returning(SIMILAR)
}

/**
 * More candidates than by default for better recall, and iterates past chunks of other bases until there are enough.
 * Not `strict_order`: it drops late results, which may be the nearest. Without statistics, as in the embedded database,
 * the planner would rather sort all chunks by their distance (1.3 s instead of 8 ms for 10,000).
 */
const INDEX_SETTINGS = statement(
  'knowledge_index_settings',
  () => `select set_config('hnsw.iterative_scan', 'relaxed_order', true) as scan,
  set_config('hnsw.ef_search', '120', true) as candidates,
  set_config('enable_sort', 'off', true) as sort`,
).returning({ scan: text(), candidates: text(), sort: text() })

/**
 * The chunks of each word, from the index of words and the rows only: ranking in SQL would read the words of every
 * match (0.3 s of 10,000 chunks), or sort all matches.
 */
function matchingWords(most: number) {
  return statement<Place | 'lang' | 'text'>(
    `matching_knowledge_words_${most}`,
    // CASE, so that the planner looks up documents in a hash table instead of joining them before the words. Documents
    // without another reading have no other chunks.
    (p) => `
with documents as materialized (
  select id, chunks, searched_reading, searched_reading is not null and metadata @> ${p.filters}::jsonb as is_searched,
    reading is not distinct from searched_reading as is_only_reading
  from knowledge_documents where base_id = any(${p.bases}::uuid[])
), ${askedWords(p, setsOf(p))}
select u.lexeme as word, u.gain::float8 as gain, f.count > ${most} as "isCut", f.ids,
  (select coalesce(sum(chunks) filter (where is_searched), 0)::int from documents) as chunks
from units u cross join lateral (
  select count(*) as count, string_agg(id::text, ' ') as ids from (
    select c.id from knowledge_chunks c
    where c.words && u.words and case
      when (select bool_and(is_searched and is_only_reading) from documents) then true
      when (c.document_id, c.reading) in (select id, searched_reading from documents where is_searched) then true end
    limit ${most + 1}
  ) one
) f
where f.count > 0`,
  ).returning({ word: text(), gain: number(), isCut: boolean(), ids: text(), chunks: number() })
}

const CHUNKS = statement<'ids'>(
  'knowledge_chunks',
  (p) => `
select c.id, d.id as "documentId", d.name as "documentName", c.page, d.url, c.text
from ${SEARCHED} where c.id = any(${p.ids}::uuid[])`,
).returning({
  id: uuid<KnowledgeChunkId>(),
  documentId: uuid<KnowledgeDocumentId>(),
  documentName: text(),
  page: nullable(number()),
  url: nullable(text()),
  text: text(),
})

const listed = (values: readonly (string | number)[]) => `{${values.join(',')}}`

const placeOf = ({ baseIds, setIds, filters }: Omit<ChunkFilter, 'limit'>) => ({
  bases: listed(baseIds),
  sets: setIds ? listed(setIds) : null,
  filters: storableJson(filters),
})

/** Searches over the chunks of the newest readings of documents. */
export function passageSearch(
  driver: SqlDriver,
  indexes: VectorIndexes,
  kind: 'pglite' | 'postgres',
): PassageSearch {
  const words = matchingWords(MOST_CHUNKS[kind])
  return {
    ...wordStore(driver, kind),
    vectorSearch: () => indexes.search(),
    async nearest(filter, vector) {
      const dims = vector.length
      const isPgvector = await indexes.installed()
      // The text of an array and of a vector of pgvector differ in their brackets.
      const values = isPgvector ? `[${vector.join(',')}]` : listed(vector)
      const parameters = { ...placeOf(filter), limit: filter.limit, vector: values }
      const [counted] = await driver.query(...COUNT(parameters))
      if (!isPgvector || !counted || !isIndexFaster(counted, filter.limit)) {
        return driver.query(...nearestOfAll(dims, isPgvector)(parameters))
      }
      return driver.transaction(async (client) => {
        await client.query(...INDEX_SETTINGS({}))
        return client.query(...nearestByIndex(dims)(parameters))
      })
    },
    async matching(filter, lang, text) {
      const rows = await driver.query(...words({ ...placeOf(filter), lang, text: storableText(text) }))
      return {
        chunks: rows[0]?.chunks ?? 0,
        words: rows.map(({ word, gain, isCut, ids }) => ({ word, gain, isCut, ids: ids.split(' ') })),
      }
    },
    chunks: (ids) => driver.query(...CHUNKS({ ids: listed(ids) })),
  }
}
