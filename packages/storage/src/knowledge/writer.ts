import { and, eq, inArray, ne, sql } from 'drizzle-orm'
import {
  knowledgeBases as bases,
  knowledgeChunks as chunks,
  knowledgeDocuments as documents,
} from '../tables/configuration/knowledge.ts'
import { onlyRow, type WriteContext } from '../tables/drizzle/write-context.ts'
import { baseColumns, documentColumns, toBase } from './columns.ts'
import type { EmbeddingModel, GivenKnowledgeBase, KnowledgeWriter } from './port.ts'

const settingsOf = ({ projectId, slug, name, lang, chunkTokens, overlapTokens }: GivenKnowledgeBase) => ({
  projectId,
  slug,
  name,
  lang,
  chunkTokens,
  overlapTokens,
})

const modelOf = (model: EmbeddingModel | null) => ({
  embeddingLlmConfigId: model?.llmConfigId ?? null,
  embeddingModelId: model?.modelId ?? null,
})

const isSame = (a: EmbeddingModel | null, b: EmbeddingModel | null) =>
  a?.llmConfigId === b?.llmConfigId && a?.modelId === b?.modelId

/** A second set for a model, or none; a second set in progress is discarded. */
const secondSet = (model: EmbeddingModel | null) => ({
  nextSetId: model && sql`gen_random_uuid()`,
  nextLlmConfigId: model?.llmConfigId ?? null,
  nextModelId: model?.modelId ?? null,
  nextDims: null,
  nextError: null,
  nextLeaseUntil: null,
  nextAttempt: sql`${bases.nextAttempt} + 1`,
  retiredSetIds: sql`${bases.retiredSetIds} || array_remove(array[${bases.nextSetId}], null)`,
})

/**
 * Whether searches find the current content of a document, as far as this process knows: a page that is being read
 * again may have changed.
 */
const IS_CURRENT = sql`(${documents.reading} is not distinct from ${documents.searchedReading}
  and ${documents.chunkedAs} is not null and not (${documents.source} = 'url' and ${documents.status} = 'queued'))`

/** Old text must never be found under new metadata. */
const searchedUnder = (metadata: Record<string, unknown>, isOtherContent: boolean) => {
  const isKept = sql`${eq(documents.metadata, metadata)}${isOtherContent ? sql`` : sql` or ${IS_CURRENT}`}`
  return {
    searchedReading: sql`case when ${isKept} then ${documents.searchedReading} end`,
    chunks: sql`case when ${isKept} then ${documents.chunks} else 0 end`,
  }
}

export function knowledgeWriter({ db }: WriteContext): KnowledgeWriter {
  return {
    async insertBase(record) {
      const { id, organizationId } = record
      await db
        .insert(bases)
        .values({ id, organizationId, ...settingsOf(record), ...modelOf(record.embedding) })
    },
    async updateBase(record) {
      const { id, organizationId, embedding } = record
      const isBase = and(eq(bases.organizationId, organizationId), eq(bases.id, id))
      const rows = await db.select(baseColumns).from(bases).where(isBase).for('update')
      onlyRow(rows, `knowledge base ${id} in this organization`)
      const [before] = rows.map(toBase)
      const [document] = await db
        .select({ id: documents.id })
        .from(documents)
        .where(eq(documents.baseId, id))
        .limit(1)
      const isNext = before?.next !== null && isSame(before?.next ?? null, embedding)
      const isCurrent = isSame(before?.embedding ?? null, embedding)
      const isWritten = !isCurrent && embedding !== null && document !== undefined
      await db
        .update(bases)
        .set({
          ...settingsOf(record),
          ...(!isNext && secondSet(isWritten ? embedding : null)),
          ...(!isCurrent && !isWritten && { ...modelOf(embedding), dims: null }),
          updatedAt: sql`now()`,
        })
        .where(isBase)
    },
    async hold(organizationId, ids) {
      const isOne = and(eq(bases.organizationId, organizationId), inArray(bases.id, [...ids]))
      // Ingest and rebuilds do not wait for this: they change no key.
      await db.select({ id: bases.id }).from(bases).where(isOne).for('key share')
    },
    async lockBase(organizationId, id) {
      const [row] = await db
        .select(baseColumns)
        .from(bases)
        .where(and(eq(bases.organizationId, organizationId), eq(bases.id, id)))
        .for('update')
      return row ? toBase(row) : null
    },
    async deleteBase(organizationId, id) {
      const isOf = and(eq(documents.organizationId, organizationId), eq(documents.baseId, id))
      const rows = await db.delete(documents).where(isOf).returning({ storageKey: documents.storageKey })
      await db.delete(bases).where(and(eq(bases.organizationId, organizationId), eq(bases.id, id)))
      return rows.flatMap(({ storageKey }) => storageKey ?? [])
    },
    async insertDocument(record) {
      await db.insert(documents).values({ ...record, status: 'queued' })
    },
    async lockDocument(organizationId, baseId, id) {
      const isOne = and(
        eq(documents.organizationId, organizationId),
        eq(documents.baseId, baseId),
        eq(documents.id, id),
      )
      const [row] = await db.select(documentColumns).from(documents).where(isOne).for('update')
      return row ?? null
    },
    async updateDocument({ id, organizationId, name, metadata }, content) {
      // Without `chunkedAs`, the stored chunks count as chunks of other content.
      const queued = { status: 'queued', error: null, leaseUntil: null, tries: 0, chunkedAs: null } as const
      const isOther = sql`${documents.attempt} + 1`
      const [after] = await db
        .update(documents)
        .set({
          name,
          metadata,
          ...searchedUnder(metadata, content !== null),
          ...(content && { ...content, ...queued, attempt: isOther }),
        })
        .where(and(eq(documents.organizationId, organizationId), eq(documents.id, id)))
        .returning({
          searched: documents.searchedReading,
          reading: documents.reading,
          chunkedAs: documents.chunkedAs,
        })
      if (!after || after.searched !== null) return
      const isContinued = after.chunkedAs === null ? undefined : ne(chunks.reading, after.reading)
      await db.delete(chunks).where(and(eq(chunks.documentId, id), isContinued))
    },
    async requeue(organizationId, id) {
      await db
        .update(documents)
        .set({ status: 'queued', error: null, leaseUntil: null, tries: 0 })
        .where(
          and(
            eq(documents.organizationId, organizationId),
            eq(documents.id, id),
            ne(documents.status, 'queued'),
          ),
        )
    },
    async deleteDocument(organizationId, id) {
      const [row] = await db
        .delete(documents)
        .where(and(eq(documents.organizationId, organizationId), eq(documents.id, id)))
        .returning({ storageKey: documents.storageKey })
      return row?.storageKey ?? null
    },
  }
}
