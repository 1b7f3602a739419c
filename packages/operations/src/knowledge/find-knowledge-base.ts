import type { Scope } from '@troupe/agents/ports'
import { type IdText, KnowledgeBaseId, KnowledgeDocumentId, parseId } from '@troupe/contract'
import type { KnowledgeBaseRecord, KnowledgeDocumentRecord, Readers } from '@troupe/storage'
import { documentNotFound, knowledgeBaseForbidden, knowledgeBaseNotFound } from './knowledge-errors.ts'

/** Reads a base in any project of an organization. */
type ReadBase<Base> = (organizationId: Scope['organizationId'], id: KnowledgeBaseId) => Promise<Base | null>

/**
 * The base with the id in the path, if the scope may access it.
 *
 * @throws DomainError `knowledge_base_not_found`, or `forbidden` for a base outside the project of a project scope
 */
export async function findKnowledgeBase<Base extends { projectId: Scope['projectId'] }>(
  read: ReadBase<Base>,
  scope: Scope,
  id: string,
): Promise<Base> {
  const key = parseId(KnowledgeBaseId, id)
  const base = key && (await read(scope.organizationId, key))
  if (!base) throw knowledgeBaseNotFound()
  if (scope.projectId !== null && base.projectId !== scope.projectId) throw knowledgeBaseForbidden()
  return base
}

/** The document with the ids in the path, and its base. @throws DomainError as {@link findKnowledgeBase}, or `document_not_found` */
export async function findKnowledgeDocument(
  { knowledge }: Pick<Readers, 'knowledge'>,
  scope: Scope,
  {
    knowledgeBaseId,
    documentId,
  }: { knowledgeBaseId: IdText<KnowledgeBaseId>; documentId: IdText<KnowledgeDocumentId> },
): Promise<{ document: KnowledgeDocumentRecord; base: KnowledgeBaseRecord }> {
  const { organizationId } = scope
  const base = await findKnowledgeBase((owner, id) => knowledge.base(owner, id), scope, knowledgeBaseId)
  const key = parseId(KnowledgeDocumentId, documentId)
  const document = key && (await knowledge.document(organizationId, base.id, key))
  if (!document) throw documentNotFound()
  return { document, base }
}
