import type { AuditAction } from '@troupe/contract'
import type { Actor, KnowledgeBaseRecord, KnowledgeDocumentRecord, Transaction } from '@troupe/storage'

type DocumentAction = Extract<AuditAction, `knowledge_document.${string}`>

/** Writes the audit row of an added, reread or deleted document; it belongs to the project of its base. */
export async function auditDocument(
  { write }: Pick<Transaction, 'write'>,
  actor: Actor,
  action: DocumentAction,
  base: Pick<KnowledgeBaseRecord, 'organizationId' | 'projectId' | 'id'>,
  { id, name }: Pick<KnowledgeDocumentRecord, 'id' | 'name'>,
): Promise<void> {
  const named = { name, baseId: base.id }
  const isDeleted = action === 'knowledge_document.deleted'
  await write.audit.append({
    organizationId: base.organizationId,
    projectId: base.projectId,
    actor,
    action,
    entityKind: 'knowledge_document',
    entityId: id,
    before: isDeleted ? named : null,
    after: isDeleted ? null : named,
  })
}
