import {
  knowledgeBases as bases,
  knowledgeDocuments as documents,
} from '@troupe/tables/configuration/knowledge'
import { and, eq, ne, sql } from 'drizzle-orm'
import { onlyRow, type WriteContext } from '../drizzle/write-context.ts'
import { baseColumns, toBase } from './columns.ts'
import type { KnowledgeBaseRecord, KnowledgeWriter } from './port.ts'

type GivenBase = Omit<KnowledgeBaseRecord, 'dims' | 'createdAt' | 'updatedAt'>

function columnsOf({ projectId, slug, name, lang, embedding, chunkTokens, overlapTokens }: GivenBase) {
  return {
    projectId,
    slug,
    name,
    lang,
    embeddingLlmConfigId: embedding?.llmConfigId ?? null,
    embeddingModelId: embedding?.modelId ?? null,
    chunkTokens,
    overlapTokens,
  }
}

export function knowledgeWriter({ db }: WriteContext): KnowledgeWriter {
  return {
    async insertBase(record) {
      const { id, organizationId } = record
      await db.insert(bases).values({ id, organizationId, ...columnsOf(record) })
    },
    async updateBase(record) {
      const { id, organizationId } = record
      const rows = await db
        .update(bases)
        .set({ ...columnsOf(record), updatedAt: sql`now()` })
        .where(and(eq(bases.organizationId, organizationId), eq(bases.id, id)))
        .returning({ id: bases.id })
      onlyRow(rows, `knowledge base ${id} in this organization`)
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
    async updateDocument({ id, organizationId, name, metadata }, content) {
      // Without `chunkedAs`, the stored chunks are known to be of other content.
      const queued = { status: 'queued', error: null, leaseUntil: null, tries: 0, chunkedAs: null } as const
      const isOther = sql`${documents.attempt} + 1`
      await db
        .update(documents)
        .set({ name, metadata, ...(content && { ...content, ...queued, attempt: isOther }) })
        .where(and(eq(documents.organizationId, organizationId), eq(documents.id, id)))
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
