import type { KnowledgeChunkId, KnowledgeDocumentId } from '@troupe/contract'
import { json, nullable, text, uuid } from '../sql/client/columns.ts'
import type { SqlDriver } from '../sql/client/sql-client.ts'
import { statement } from '../sql/client/statement.ts'
import { storableJson, storableText } from '../sql/client/storable.ts'
import type { AskedKnowledgeWord, PassageSearch, SearchedDocument } from './port.ts'

/** Maximum words of a search: first those that the text repeats, then the longest, which tend to be the rarest. */
const MOST_WORDS = 24
/** Maximum letter sequences of scripts without spaces; a sentence has about 40. Hiragana alone is grammar, so it comes last. */
const MOST_SEQUENCES = 64
/** Chunks to read per word. The embedded database reads them in compiled code that is not optimised. */
export const MOST_CHUNKS = { pglite: 2_000, postgres: 10_000 }
/** The contribution of each repetition of a word in a chunk: BM25 with k1 = 1.2, where each repetition adds less. */
const REPETITIONS = '(values (1, 1.0), (2, 0.38), (4, 0.32)) as r (times, gain)'
/** The header of an array in binary form, and the length before each of its values. */
const HEADER_BYTES = 20
const LENGTH_BYTES = 4

/** The words of a search, for a statement's WITH: `units` has their hashes in each of the sets, an SQL array. */
export const askedWords = (p: Record<'lang' | 'text', string>, sets: string) => `
terms as materialized (
  select * from knowledge_terms(${p.lang}::regconfig, ${p.text}) where is_asked
), asked as materialized (
  (select term as lexeme from terms where gram = 0 order by times desc, length(term) desc, term limit ${MOST_WORDS})
  union all
  (select term from terms where gram > 0 order by term ~ '^[\\u3041-\\u309f]+$', times desc, term limit ${MOST_SEQUENCES})
), units as materialized (
  select w.lexeme, r.gain, array(select knowledge_word(s.id, w.lexeme, r.times) from unnest(${sets}) as s (id)) as words
  from asked w cross join ${REPETITIONS}
)`

/**
 * The searched documents of a base and their readings, as a text. Both are hashed, so that a search can compare them
 * without reading them. The chunks of a searched reading in one set never change.
 */
const STATE = `count(*) || ':' || coalesce(bit_xor(uuid_hash_extended(id, searched_reading)), 0)`

const ASK = statement<'bases' | 'sets' | 'lang' | 'text'>(
  'ask_knowledge_words',
  (p) => `
with ${askedWords(p, `${p.sets}::uuid[]`)}
select coalesce((
    select json_agg(json_build_object('word', lexeme, 'gain', gain, 'hashes', words::text[])) from units
  ), '[]') as words,
  coalesce((
    select json_object_agg(b.id, (
      select ${STATE} from knowledge_documents where base_id = b.id and searched_reading is not null
    )) from unnest(${p.bases}::uuid[]) as b (id)
  ), '{}') as bases`,
).returning({ words: json<readonly AskedKnowledgeWord[]>(), bases: json<Readonly<Record<string, string>>>() })

const SEARCHED_DOCUMENTS = statement<'baseId'>(
  'searched_knowledge_documents',
  (p) => `
select ${STATE} as state,
  coalesce(json_agg(json_build_object('id', id, 'reading', searched_reading, 'chunks', chunks)), '[]') as documents
from knowledge_documents where base_id = ${p.baseId}::uuid and searched_reading is not null`,
).returning({ state: text(), documents: json<SearchedDocument[]>() })

const READ_CHUNKS = statement<'setId' | 'parts' | 'withVectors'>(
  'read_knowledge_chunks',
  (p) => `
select d.id as "documentId", c.id, encode(array_send(c.words), 'base64') as words,
  case when ${p.withVectors}::boolean then encode(array_send(c.embedding), 'base64') end as vector
from json_to_recordset(${p.parts}::json) as w (id uuid, reading int, "from" int, "to" int)
join knowledge_documents d on d.id = w.id and d.searched_reading = w.reading
join knowledge_chunks c on c.document_id = d.id and c.set_id = ${p.setId}::uuid and c.reading = w.reading
  and c.idx >= w."from" and c.idx < w."to"
order by d.id, c.idx`,
).returning({
  documentId: uuid<KnowledgeDocumentId>(),
  id: uuid<KnowledgeChunkId>(),
  words: text(),
  vector: nullable(text()),
})

/** The bytes of an array in binary form, and the start of each value after its length. */
function arrayOf(
  base64: string,
  valueBytes: number,
): { bytes: Buffer; at(index: number): number; count: number } {
  const bytes = Buffer.from(base64, 'base64')
  const size = LENGTH_BYTES + valueBytes
  return {
    bytes,
    at: (index) => HEADER_BYTES + index * size + LENGTH_BYTES,
    count: Math.max(0, Math.floor((bytes.length - HEADER_BYTES) / size)),
  }
}

/** The halves of hashes from an array of `bigint`. */
function hashesOf(base64: string): Int32Array {
  const { bytes, at, count } = arrayOf(base64, 8)
  const hashes = new Int32Array(2 * count)
  for (let index = 0; index < count; index += 1) {
    hashes[2 * index] = bytes.readInt32BE(at(index))
    hashes[2 * index + 1] = bytes.readInt32BE(at(index) + 4)
  }
  return hashes
}

/** The values of an array of `real`. */
function vectorOf(base64: string): Float32Array {
  const { bytes, at, count } = arrayOf(base64, 4)
  return Float32Array.from({ length: count }, (_, index) => bytes.readFloatBE(at(index)))
}

/** Reads for keeping passages in memory. */
export function wordStore(
  driver: SqlDriver,
  kind: 'pglite' | 'postgres',
): Pick<PassageSearch, 'askedWords' | 'searchedDocuments' | 'readChunks'> {
  const listed = (ids: readonly string[]) => `{${ids.join(',')}}`
  return {
    async askedWords({ baseIds, setIds }, lang, text) {
      const asked = { bases: listed(baseIds), sets: listed(setIds), lang, text: storableText(text) }
      const [row] = await driver.query(...ASK(asked))
      return { words: [], bases: {}, ...row, mostChunks: MOST_CHUNKS[kind] }
    },
    async searchedDocuments(baseId) {
      const [row] = await driver.query(...SEARCHED_DOCUMENTS({ baseId }))
      return row ?? { state: '', documents: [] }
    },
    async readChunks(setId, parts, withVectors) {
      const rows = await driver.query(...READ_CHUNKS({ setId, parts: storableJson(parts), withVectors }))
      return rows.map(({ words, vector, ...chunk }) => ({
        ...chunk,
        hashes: hashesOf(words),
        vector: vector === null ? null : vectorOf(vector),
      }))
    },
  }
}
