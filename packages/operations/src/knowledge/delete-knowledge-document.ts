import type { Scope } from '@troupe/agents/ports'
import type { Actor, Database } from '@troupe/database'
import type { DeleteFiles } from '@troupe/retrieval/documents/document-files'
import { findKnowledgeDocument } from './find-knowledge-base.ts'

/**
 * Deletes a document with its passages; a process that reads it notices with its next write.
 *
 * @throws DomainError `knowledge_base_not_found`, `forbidden` or `document_not_found`
 */
export async function deleteKnowledgeDocument(
  { database, deleteFiles }: { database: Pick<Database, 'transaction'>; deleteFiles: DeleteFiles },
  scope: Scope,
  actor: Actor,
  ids: { knowledgeBaseId: string; documentId: string },
): Promise<void> {
  const key = await database.transaction(async ({ read, write }) => {
    const { organizationId, id, name, baseId } = await findKnowledgeDocument(read, scope, ids)
    const key = await write.knowledge.deleteDocument(organizationId, id)
    await write.audit.append({
      organizationId,
      projectId: scope.projectId,
      actor,
      action: 'knowledge_document.deleted',
      entityKind: 'knowledge_document',
      entityId: id,
      before: { name, baseId },
      after: null,
    })
    return key
  })
  if (key !== null) await deleteFiles([key])
}
