import type { Scope } from '@troupe/agents/ports'
import type { IdText, KnowledgeBaseId, KnowledgeDocumentId } from '@troupe/contract'
import type { Actor, Database } from '@troupe/storage'
import { auditDocument } from './audit-document.ts'
import type { DeleteFiles } from './documents/document-files.ts'
import { findKnowledgeDocument } from './find-knowledge-base.ts'

/** Deletes a document with its passages; a process that reads it is refused at its next write. */
export async function deleteKnowledgeDocument(
  { database, deleteFiles }: { database: Pick<Database, 'transaction'>; deleteFiles: DeleteFiles },
  scope: Scope,
  actor: Actor,
  ids: { knowledgeBaseId: IdText<KnowledgeBaseId>; documentId: IdText<KnowledgeDocumentId> },
): Promise<void> {
  const key = await database.transaction(async ({ read, write }) => {
    const { document, base } = await findKnowledgeDocument(read, scope, ids)
    const key = await write.knowledge.deleteDocument(base.organizationId, document.id)
    await auditDocument({ write }, actor, 'knowledge_document.deleted', base, document)
    return key
  })
  if (key !== null) await deleteFiles([key])
}
