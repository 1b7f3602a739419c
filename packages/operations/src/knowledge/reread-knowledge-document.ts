import type { Scope } from '@troupe/agents/ports'
import type { KnowledgeDocument } from '@troupe/contract'
import type { Database } from '@troupe/database'
import { findKnowledgeDocument } from './find-knowledge-base.ts'
import { presentDocument } from './present-knowledge.ts'

/** What the operation uses. */
export interface RereadParts {
  database: Pick<Database, 'read' | 'transaction'>
  /** Called when the document was queued. */
  hurry(): void
}

/**
 * Queues a document again; its passages stay until it was read.
 *
 * @throws DomainError `knowledge_base_not_found`, `forbidden` or `document_not_found`
 */
export async function rereadKnowledgeDocument(
  { database, hurry }: RereadParts,
  scope: Scope,
  ids: { knowledgeBaseId: string; documentId: string },
): Promise<KnowledgeDocument> {
  const { id, organizationId } = await findKnowledgeDocument(database.read, scope, ids)
  await database.transaction(({ write }) => write.knowledge.requeue(organizationId, id))
  hurry()
  return presentDocument(await findKnowledgeDocument(database.read, scope, ids))
}
