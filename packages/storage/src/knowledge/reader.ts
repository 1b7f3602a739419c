import type { KnowledgeBaseId } from '@troupe/contract'
import { and, asc, count, desc, eq, inArray, isNotNull, ne, or, sql } from 'drizzle-orm'
import { agentsNaming } from '../config-references/agents-naming.ts'
import { number } from '../sql/client/columns.ts'
import { configReferences } from '../tables/configuration/config-references.ts'
import { knowledgeDocuments as documents, knowledgeBases } from '../tables/configuration/knowledge.ts'
import type { Drizzle } from '../tables/drizzle/drizzle.ts'
import { expression } from '../tables/drizzle/expression.ts'
import { hasInName, offsetOf, withTotal } from '../tables/drizzle/page.ts'
import { baseColumns, documentColumns, toBase } from './columns.ts'
import type { CountedKnowledgeBase, KnowledgeBaseRecord, KnowledgeReader } from './port.ts'

export function knowledgeReader(db: Drizzle): KnowledgeReader {
  const counted = async (bases: readonly KnowledgeBaseRecord[]): Promise<CountedKnowledgeBase[]> => {
    const counts = await countsOf(
      db,
      bases.map(({ id }) => id),
    )
    const none = { documents: { queued: 0, ready: 0, failed: 0 }, chunks: 0 }
    return bases.map((base) => ({ ...base, ...(counts.get(base.id) ?? none) }))
  }
  return {
    async base(organizationId, id) {
      const rows = await db
        .select(baseColumns)
        .from(knowledgeBases)
        .where(and(eq(knowledgeBases.organizationId, organizationId), eq(knowledgeBases.id, id)))
      const [base] = await counted(rows.map(toBase))
      return base ?? null
    },
    async bases(organizationId, ids) {
      if (ids.length === 0) return []
      const rows = await db
        .select(baseColumns)
        .from(knowledgeBases)
        .where(and(eq(knowledgeBases.organizationId, organizationId), inArray(knowledgeBases.id, [...ids])))
      return rows.map(toBase)
    },
    async basePage({ organizationId, projectId }, page) {
      const where = and(
        eq(knowledgeBases.organizationId, organizationId),
        projectId === null ? undefined : eq(knowledgeBases.projectId, projectId),
        hasInName(knowledgeBases.name, page, knowledgeBases.id),
      )
      const rows = await db
        .select(baseColumns)
        .from(knowledgeBases)
        .where(where)
        .orderBy(desc(knowledgeBases.createdAt), desc(knowledgeBases.id))
        .limit(page.limit)
        .offset(offsetOf(page))
      return withTotal(page, await counted(rows.map(toBase)), () =>
        db.select({ total: count() }).from(knowledgeBases).where(where),
      )
    },
    async list(organizationId) {
      const rows = await db
        .select(baseColumns)
        .from(knowledgeBases)
        .where(and(eq(knowledgeBases.organizationId, organizationId), isNotNull(knowledgeBases.slug)))
        .orderBy(asc(knowledgeBases.slug))
      return rows.map(toBase)
    },
    agentsUsing: (organizationId, id) => agentsNaming(db, organizationId, eq(configReferences.targetId, id)),
    async document(organizationId, baseId, id) {
      const [row] = await db
        .select(documentColumns)
        .from(documents)
        .where(
          and(
            eq(documents.organizationId, organizationId),
            eq(documents.baseId, baseId),
            eq(documents.id, id),
          ),
        )
      return row ?? null
    },
    async documentPage(organizationId, baseId, page) {
      const where = and(
        eq(documents.organizationId, organizationId),
        eq(documents.baseId, baseId),
        page.status === undefined ? undefined : eq(documents.status, page.status),
        hasInName(documents.name, page),
      )
      const rows = await db
        .select(documentColumns)
        .from(documents)
        .where(where)
        .orderBy(desc(documents.createdAt), desc(documents.id))
        .limit(page.limit)
        .offset(offsetOf(page))
      return withTotal(page, rows, () => db.select({ total: count() }).from(documents).where(where))
    },
    async sameDocument(organizationId, baseId, same) {
      const isSame =
        'url' in same
          ? and(eq(documents.url, same.url), eq(documents.source, 'url'))
          : and(eq(documents.contentHash, same.contentHash), ne(documents.source, 'url'))
      const [row] = await db
        .select(documentColumns)
        .from(documents)
        .where(and(eq(documents.organizationId, organizationId), eq(documents.baseId, baseId), isSame))
      return row ?? null
    },
    async documentsLike(organizationId, baseId, { names, contentHashes, urls }) {
      const isLike = or(
        inArray(documents.name, [...names]),
        inArray(documents.contentHash, [...contentHashes]),
        inArray(documents.url, [...urls]),
      )
      return db
        .select(documentColumns)
        .from(documents)
        .where(and(eq(documents.organizationId, organizationId), eq(documents.baseId, baseId), isLike))
        .orderBy(asc(documents.createdAt), asc(documents.id))
    },
  }
}

type Counts = Pick<CountedKnowledgeBase, 'documents' | 'chunks'>

/** Documents by status, and the searched chunks, of the bases that have any. */
async function countsOf(db: Drizzle, ids: KnowledgeBaseId[]): Promise<Map<KnowledgeBaseId, Counts>> {
  const counts = new Map<KnowledgeBaseId, Counts>()
  if (ids.length === 0) return counts
  const rows = await db
    .select({
      baseId: documents.baseId,
      status: documents.status,
      documents: count(),
      chunks: expression(number(), sql`sum(${documents.chunks})::int`),
    })
    .from(documents)
    .where(inArray(documents.baseId, ids))
    .groupBy(documents.baseId, documents.status)
  for (const row of rows) {
    const known = counts.get(row.baseId) ?? { documents: { queued: 0, ready: 0, failed: 0 }, chunks: 0 }
    known.documents[row.status] = row.documents
    known.chunks += row.chunks
    counts.set(row.baseId, known)
  }
  return counts
}
