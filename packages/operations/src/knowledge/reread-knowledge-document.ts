import type { Scope } from '@troupe/agents/ports'
import type { IdText, KnowledgeBaseId, KnowledgeDocument, KnowledgeDocumentId } from '@troupe/contract'
import type { Actor, Database } from '@troupe/storage'
import { auditDocument } from './audit-document.ts'
import { findKnowledgeDocument } from './find-knowledge-base.ts'
import { presentDocument } from './present-knowledge.ts'

/** Dependencies of the operation. */
export interface RereadParts {
  database: Pick<Database, 'transaction'>
  /** Called when the document was queued. */
  hurry(): void
}

/**
 * Queues a document again; searches find its previous content until it has been read.
 *
 * @returns the document as queued
 * @throws DomainError `knowledge_base_not_found`, `forbidden` or `document_not_found`
 */
export async function rereadKnowledgeDocument(
  { database, hurry }: RereadParts,
  scope: Scope,
  actor: Actor,
  ids: { knowledgeBaseId: IdText<KnowledgeBaseId>; documentId: IdText<KnowledgeDocumentId> },
): Promise<KnowledgeDocument> {
  // Read before the commit: afterwards it may already be read, or have failed again.
  const queued = await database.transaction(async ({ read, write }) => {
    const { document, base } = await findKnowledgeDocument(read, scope, ids)
    await write.knowledge.requeue(base.organizationId, document.id)
    await auditDocument({ write }, actor, 'knowledge_document.reread', base, document)
    return (await findKnowledgeDocument(read, scope, ids)).document
  })
  hurry()
  return presentDocument(queued)
}
