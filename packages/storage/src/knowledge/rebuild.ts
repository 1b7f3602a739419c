import type { KnowledgeBaseId, KnowledgeChunkId, KnowledgeDocumentId } from '@troupe/contract'
import { eq } from 'drizzle-orm'
import type { VectorIndexes } from '../passages/vector-indexes.ts'
import { number, text, uuid } from '../sql/client/columns.ts'
import type { SqlDriver } from '../sql/client/sql-client.ts'
import { statement } from '../sql/client/statement.ts'
import { storableJson, storableNullable } from '../sql/client/storable.ts'
import { knowledgeBases } from '../tables/configuration/knowledge.ts'
import { drizzleOver } from '../tables/drizzle/drizzle.ts'
import { baseColumns, toBase } from './columns.ts'
import type { ClaimedRebuild, KnowledgeStore, RebuildClaim } from './port.ts'

type Claim = 'baseId' | 'attempt'

const CLAIM = statement<'leaseSeconds'>(
  'claim_knowledge_rebuild',
  (p) => `
with due as (
  select id from knowledge_bases
  where next_set_id is not null and (next_lease_until is null or next_lease_until < now())
  order by id limit 1 for update skip locked
)
update knowledge_bases b set next_attempt = b.next_attempt + 1,
  next_lease_until = now() + make_interval(secs => ${p.leaseSeconds}::float8)
from due where b.id = due.id returning b.id, b.next_attempt as attempt`,
).returning({ id: uuid<ClaimedRebuild['base']['id']>(), attempt: number() })

/** Searched chunks that the second set lacks. */
const LACKING = `
knowledge_bases b
join knowledge_documents d on d.base_id = b.id
join knowledge_chunks c on c.document_id = d.id and c.set_id = b.set_id and c.reading = d.searched_reading
where not exists (
  select from knowledge_chunks n
  where n.document_id = d.id and n.set_id = b.next_set_id and n.reading = c.reading and n.idx = c.idx
)`

const CHUNKS = statement<'baseId' | 'limit'>(
  'knowledge_chunks_without_vectors',
  (p) => `
select c.id, d.id as "documentId", c.text
from ${LACKING} and b.id = ${p.baseId}::uuid limit ${p.limit}::int`,
).returning({ id: uuid<KnowledgeChunkId>(), documentId: uuid<KnowledgeDocumentId>(), text: text() })

const held = (p: Record<Claim, string>) =>
  `b.id = ${p.baseId}::uuid and b.next_attempt = ${p.attempt}::int and b.next_set_id is not null`

/**
 * Leaves out chunks of documents that have been read again, and those of deleted documents, whose deletion the lock
 * waits for. A reading that settles concurrently may leave chunks of the previous one here, which `SWITCH` deletes.
 */
const ADD = statement<Claim | 'dims' | 'vectors'>(
  'add_knowledge_vectors',
  (p) => `
with held as (
  update knowledge_bases b set next_dims = coalesce(b.next_dims, ${p.dims}::int), next_error = null
  where ${held(p)} and coalesce(b.next_dims, ${p.dims}::int) = ${p.dims}::int returning b.id, b.set_id, b.next_set_id
), current as (
  select held.next_set_id, c.id as chunk_id, v.embedding
  from held
  join json_to_recordset(${p.vectors}::json) as v (id uuid, embedding real[]) on true
  join knowledge_chunks c on c.id = v.id and c.set_id = held.set_id
  join knowledge_documents d on d.id = c.document_id and d.searched_reading = c.reading
  for key share of d
), added as (
  insert into knowledge_chunks (set_id, document_id, reading, idx, page, text, lang, dims, embedding, words)
  select current.next_set_id, c.document_id, c.reading, c.idx, c.page, c.text, c.lang, ${p.dims}::int, current.embedding,
    knowledge_words(current.next_set_id, c.lang, c.text)
  from current join knowledge_chunks c on c.id = current.chunk_id
  on conflict (document_id, set_id, reading, idx) do nothing
)
select id from held`,
).returning({ id: uuid<KnowledgeBaseId>() })

const LOCK = statement<'baseId'>(
  'lock_knowledge_base',
  (p) => `select id from knowledge_bases where id = ${p.baseId}::uuid for update`,
).returning({ id: uuid<KnowledgeBaseId>() })

const SWITCH = statement<Claim>(
  'switch_knowledge_sets',
  (p) => `
with switched as (
  update knowledge_bases b set retired_set_ids = b.retired_set_ids || b.set_id, set_id = b.next_set_id,
    embedding_llm_config_id = b.next_llm_config_id, embedding_model_id = b.next_model_id, dims = b.next_dims,
    next_set_id = null, next_llm_config_id = null, next_model_id = null, next_dims = null, next_error = null,
    next_lease_until = null, updated_at = now()
  where ${held(p)} and not exists (select from ${LACKING} and b.id = ${p.baseId}::uuid)
  returning b.id, b.set_id
), outdated as (
  delete from knowledge_chunks c using switched s, knowledge_documents d
  where d.base_id = s.id and c.document_id = d.id and c.set_id = s.set_id
    and c.reading is distinct from d.searched_reading
)
select id from switched`,
).returning({ id: uuid<KnowledgeBaseId>() })

/**
 * Zero seconds end the lease. With now() it would not end: the column is rounded to milliseconds, possibly up, so a
 * claim within the same millisecond would find nothing due.
 */
const POSTPONE = statement<Claim | 'seconds' | 'error'>(
  'postpone_knowledge_rebuild',
  (p) => `
update knowledge_bases b set next_error = ${p.error}::text,
  next_lease_until = now() + make_interval(secs => nullif(${p.seconds}::float8, 0))
where ${held(p)}`,
)

/**
 * Locks the base before its chunks, as the ingest does, which rules out a deadlock; a base that is being written is
 * left for later. So are chunks that a document's own statement is deleting in another order: only a set without chunks
 * is done.
 */
const DELETE_RETIRED = statement<'graceSeconds' | 'limit'>(
  'delete_retired_knowledge',
  (p) => `
with retired as (
  select id, retired_set_ids[1] as set_id from knowledge_bases
  where retired_set_ids <> '{}' and updated_at < now() - make_interval(secs => ${p.graceSeconds}::float8)
  limit 1 for no key update skip locked
), outdated as (
  select c.id from knowledge_chunks c join retired r on r.set_id = c.set_id
  limit ${p.limit}::int for update of c skip locked
), gone as (
  delete from knowledge_chunks where id in (select id from outdated) returning id
), emptied as (
  update knowledge_bases b set retired_set_ids = array_remove(b.retired_set_ids, r.set_id)
  from retired r where b.id = r.id and not exists (select from knowledge_chunks c where c.set_id = r.set_id)
  returning b.id
)
select id from gone union all select id from emptied`,
).returning({ id: uuid<KnowledgeChunkId | KnowledgeBaseId>() })

type Rebuild = Pick<
  KnowledgeStore,
  'claimRebuild' | 'addVectors' | 'switchSets' | 'postponeRebuild' | 'deleteRetired'
>

const parametersOf = ({ base, attempt }: RebuildClaim) => ({ baseId: base.id, attempt })

/**
 * The second set of a base. While it is written, the first is searched and gets new documents. The switch waits until
 * every searched chunk has its counterpart; a reading in progress at that moment is refused (`inSet`) and repeated.
 */
export function rebuildStore(driver: SqlDriver, indexes: VectorIndexes): Rebuild {
  const db = drizzleOver(driver)
  return {
    async claimRebuild(leaseSeconds, limit) {
      const [claimed] = await driver.query(...CLAIM({ leaseSeconds }))
      if (!claimed) return null
      const rows = await db.select(baseColumns).from(knowledgeBases).where(eq(knowledgeBases.id, claimed.id))
      const [base] = rows.map(toBase)
      if (!base?.next) return null
      const chunks = await driver.query(...CHUNKS({ baseId: base.id, limit }))
      return { base: { ...base, next: base.next }, attempt: claimed.attempt, chunks }
    },
    async addVectors(claim, vectors) {
      const dims = vectors[0]?.embedding.length ?? 0
      await indexes.ensure(dims)
      const rows = await driver.query(
        ...ADD({ ...parametersOf(claim), dims, vectors: storableJson(vectors) }),
      )
      return rows.length > 0
    },
    switchSets: (claim) =>
      // The lock comes first: the statement's snapshot would not include a document that becomes ready while it waits.
      driver.transaction(async (client) => {
        await client.query(...LOCK({ baseId: claim.base.id }))
        return (await client.query(...SWITCH(parametersOf(claim)))).length > 0
      }),
    async postponeRebuild(claim, { seconds, error }) {
      await driver.query(...POSTPONE({ ...parametersOf(claim), seconds, error: storableNullable(error) }))
    },
    async deleteRetired(how) {
      return (await driver.query(...DELETE_RETIRED(how))).length > 0
    },
  }
}
