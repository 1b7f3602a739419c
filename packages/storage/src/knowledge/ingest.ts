import type { KnowledgeDocumentId } from '@troupe/contract'
import { eq } from 'drizzle-orm'
import type { VectorIndexes } from '../passages/vector-indexes.ts'
import { notNull, number, uuid } from '../sql/client/columns.ts'
import type { SqlDriver } from '../sql/client/sql-client.ts'
import { statement } from '../sql/client/statement.ts'
import { storableJson, storableNullable, storableText } from '../sql/client/storable.ts'
import { knowledgeBases, knowledgeDocuments } from '../tables/configuration/knowledge.ts'
import { drizzleOver } from '../tables/drizzle/drizzle.ts'
import { baseColumns, documentColumns, toBase } from './columns.ts'
import type { ClaimedDocument, DocumentClaim, KnowledgeStore } from './port.ts'

type Claim = 'documentId' | 'attempt'

/** Of two claims, the second skips the locked row. */
const CLAIM = statement<'leaseSeconds'>(
  'claim_knowledge_document',
  (p) => `
with due as (
  select id from knowledge_documents
  where status = 'queued' and (lease_until is null or lease_until < now())
  order by created_at, id limit 1 for update skip locked
)
update knowledge_documents d set attempt = d.attempt + 1, tries = d.tries + 1,
  lease_until = now() + make_interval(secs => ${p.leaseSeconds}::float8)
from due where d.id = due.id
returning d.id, d.attempt, d.tries`,
).returning({ id: uuid<KnowledgeDocumentId>(), attempt: number(), tries: number() })

const held = (p: Record<Claim, string>) =>
  `id = ${p.documentId}::uuid and attempt = ${p.attempt}::int and status = 'queued'`

const RENEW = statement<Claim | 'leaseSeconds'>(
  'renew_knowledge_document',
  (p) => `
update knowledge_documents set lease_until = now() + make_interval(secs => ${p.leaseSeconds}::float8)
where ${held(p)} returning id`,
).returning({ id: uuid<KnowledgeDocumentId>() })

/** Other content or other settings start another reading. The searched one is kept until `SETTLE`. */
const ARRIVED = statement<Claim | 'setId' | 'contentHash' | 'chunkedAs' | 'sizeBytes'>(
  'arrived_knowledge_document',
  (p) => `
with held as (
  select id, searched_reading,
    (content_hash, chunked_as) is distinct from (${p.contentHash}::text, ${p.chunkedAs}::text) as is_other
  from knowledge_documents where ${held(p)} for update
), given_up as (
  delete from knowledge_chunks c using held
  where c.document_id = held.id and held.is_other and c.reading is distinct from held.searched_reading
)
update knowledge_documents d
set content_hash = ${p.contentHash}, chunked_as = ${p.chunkedAs}, size_bytes = ${p.sizeBytes}::bigint,
  reading = d.reading + held.is_other::int
from held where d.id = held.id
returning case when held.is_other then 0 else (
    select count(*)::int from knowledge_chunks c
    where c.document_id = d.id and c.set_id = ${p.setId}::uuid and c.reading = d.reading
  ) end as stored`,
).returning({ stored: number() })

/**
 * Locks the base, so that no other set replaces this one before the chunks are committed. The base is locked first, as
 * in every transaction that locks both rows.
 */
const inSet = (p: Record<Claim | 'setId', string>) => `
  select d.id, d.reading, d.searched_reading, b.set_id from knowledge_documents d join knowledge_bases b on b.id = d.base_id
  where d.id = ${p.documentId}::uuid and d.attempt = ${p.attempt}::int and d.status = 'queued' and b.set_id = ${p.setId}::uuid
  for share of b for update of d`

/** Chunks of the searched reading never change: it is complete. */
const ADD_CHUNKS = statement<Claim | 'setId' | 'lang' | 'dims' | 'chunks'>(
  'add_knowledge_chunks',
  (p) => `
with held as (${inSet(p)}
), added as (
  insert into knowledge_chunks (set_id, document_id, reading, idx, page, text, dims, embedding, lang, words)
  select held.set_id, held.id, held.reading, c.idx, c.page, c.text, ${p.dims}::int, c.embedding, ${p.lang}::regconfig,
    knowledge_words(held.set_id, ${p.lang}::regconfig, c.text)
  from held, json_to_recordset(${p.chunks}::json) as c (idx int, page int, text text, embedding real[])
  where held.reading is distinct from held.searched_reading
  on conflict (document_id, set_id, reading, idx) do nothing
)
select id from held`,
).returning({ id: uuid<KnowledgeDocumentId>() })

const SET_DIMS = statement<'baseId' | 'dims' | 'llmConfigId' | 'modelId'>(
  'set_knowledge_dims',
  (p) => `
update knowledge_bases set dims = coalesce(dims, ${p.dims}::int)
where id = ${p.baseId}::uuid and embedding_llm_config_id = ${p.llmConfigId}::uuid
  and embedding_model_id = ${p.modelId}
returning dims`,
).returning({ dims: notNull(number()) })

/**
 * A complete reading replaces the searched one. A failed reading leaves the searched one unchanged; a reading that can
 * never complete is deleted.
 */
const SETTLE = statement<Claim | 'setId' | 'error' | 'isUnreadable'>(
  'settle_knowledge_document',
  (p) => `
with held as (${inSet(p)}
), end_of_reading as (
  select held.*, ${p.error}::text is null as is_complete,
    case when ${p.error}::text is null then held.reading else held.searched_reading end as kept
  from held
), given_up as (
  delete from knowledge_chunks c using end_of_reading e
  where (e.is_complete or ${p.isUnreadable}::boolean) and c.document_id = e.id and c.reading is distinct from e.kept
)
update knowledge_documents d set lease_until = null, error = ${p.error}::text,
  status = case when e.is_complete then 'ready' else 'failed' end,
  searched_reading = e.kept,
  chunked_as = case when ${p.isUnreadable}::boolean and e.reading is distinct from e.kept then null else d.chunked_as end,
  chunks = case when e.is_complete then (
      select count(*) from knowledge_chunks c
      where c.document_id = e.id and c.set_id = e.set_id and c.reading = e.reading
    ) else d.chunks end
from end_of_reading e where d.id = e.id returning d.id`,
).returning({ id: uuid<KnowledgeDocumentId>() })

const POSTPONE = statement<Claim | 'seconds' | 'waitsFor'>(
  'postpone_knowledge_document',
  (p) => `
update knowledge_documents set lease_until = now() + make_interval(secs => ${p.seconds}::float8),
  error = ${p.waitsFor}::text, tries = tries - (${p.waitsFor}::text is not null)::int where ${held(p)}`,
)

const RELEASE = statement<Claim>(
  'release_knowledge_document',
  (p) => `update knowledge_documents set lease_until = null, tries = tries - 1 where ${held(p)}`,
)

const RELEASE_ALL = statement(
  'release_knowledge_documents',
  () => `update knowledge_documents set lease_until = null where status = 'queued' and lease_until > now()`,
)

const parametersOf = ({ id, attempt }: Pick<DocumentClaim, 'id' | 'attempt'>) => ({ documentId: id, attempt })
const withSet = (claim: DocumentClaim) => ({ ...parametersOf(claim), setId: claim.base.setId })

type Ingest = Pick<
  KnowledgeStore,
  | 'claim'
  | 'renew'
  | 'arrived'
  | 'addChunks'
  | 'settle'
  | 'postpone'
  | 'release'
  | 'releaseAll'
  | 'requireDims'
>

/** The rows of documents while they are read. Every write checks the claim. */
export function ingestStore(driver: SqlDriver, indexes: VectorIndexes): Ingest {
  const db = drizzleOver(driver)
  const claim = async (leaseSeconds: number): Promise<ClaimedDocument | null> => {
    const [claimed] = await driver.query(...CLAIM({ leaseSeconds }))
    if (!claimed) return null
    const [row] = await db
      .select({ document: documentColumns, base: baseColumns })
      .from(knowledgeDocuments)
      .innerJoin(knowledgeBases, eq(knowledgeBases.id, knowledgeDocuments.baseId))
      .where(eq(knowledgeDocuments.id, claimed.id))
    // Deleted since the claim; other documents may be due.
    if (!row) return claim(leaseSeconds)
    return { ...row.document, base: toBase(row.base), ...claimed }
  }
  return {
    claim,
    async renew(claim, leaseSeconds) {
      const rows = await driver.query(...RENEW({ ...parametersOf(claim), leaseSeconds }))
      return rows.length > 0
    },
    async arrived(claim, content) {
      const [row] = await driver.query(...ARRIVED({ ...withSet(claim), ...content }))
      return row?.stored ?? null
    },
    async requireDims(base, dims) {
      const { id: baseId, embedding } = base
      // Once set, the length of a base's vectors does not change, nor does its model.
      if (base.dims === null) {
        if (embedding === null) return null
        const { llmConfigId, modelId } = embedding
        const [row] = await driver.query(
          ...SET_DIMS({ baseId, dims, llmConfigId, modelId: storableText(modelId) }),
        )
        if (row?.dims !== dims) return row?.dims ?? null
      } else if (base.dims !== dims) return base.dims
      await indexes.ensure(dims)
      return dims
    },
    async addChunks(claim, base, chunks) {
      const dims = chunks[0]?.embedding?.length ?? null
      const rows = await driver.query(
        ...ADD_CHUNKS({
          ...withSet(claim),
          lang: base.lang,
          dims,
          chunks: storableJson(chunks.map((chunk) => ({ ...chunk, text: storableText(chunk.text) }))),
        }),
      )
      return rows.length > 0
    },
    async settle(claim, { error, isUnreadable = false }) {
      const rows = await driver.query(
        ...SETTLE({ ...withSet(claim), error: storableNullable(error), isUnreadable }),
      )
      return rows.length > 0
    },
    async postpone(claim, seconds, waitsFor) {
      const pause = { seconds, waitsFor: storableNullable(waitsFor ?? null) }
      await driver.query(...POSTPONE({ ...parametersOf(claim), ...pause }))
    },
    async release(claim) {
      await driver.query(...RELEASE(parametersOf(claim)))
    },
    async releaseAll() {
      await driver.query(...RELEASE_ALL({}))
    },
  }
}
