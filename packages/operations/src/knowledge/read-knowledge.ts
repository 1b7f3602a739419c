import type { Scope } from '@troupe/agents/ports'
import type {
  IdText,
  KnowledgeBase,
  KnowledgeBaseId,
  KnowledgeDocument,
  KnowledgeDocumentId,
  OPERATIONS,
  QueryOf,
  ResultOf,
} from '@troupe/contract'
import type { Readers } from '@troupe/storage'
import { findKnowledgeBase, findKnowledgeDocument } from './find-knowledge-base.ts'
import { presentDocument, presentKnowledgeBase } from './present-knowledge.ts'

type Read = Pick<Readers, 'knowledge'>
type ListBases = (typeof OPERATIONS)['listKnowledgeBases']
type ListDocuments = (typeof OPERATIONS)['listKnowledgeDocuments']

interface NameFilter {
  /** Part of the name. */
  q?: string | undefined
}
interface StatusFilter {
  status?: KnowledgeDocument['status'] | undefined
}

/** One page of bases, newest first. A project scope sees only its own project's. */
export async function listKnowledgeBases(
  read: Read,
  scope: Scope,
  { page = 1, limit = 20, q }: QueryOf<ListBases> & NameFilter,
): Promise<ResultOf<ListBases>> {
  const { rows, total } = await read.knowledge.basePage(scope, { page, limit, q })
  return { data: rows.map(presentKnowledgeBase), total, page, limit }
}

/** @throws DomainError `knowledge_base_not_found` or `forbidden` */
export async function getKnowledgeBase(
  { knowledge }: Read,
  scope: Scope,
  knowledgeBaseId: IdText<KnowledgeBaseId>,
): Promise<KnowledgeBase> {
  const base = await findKnowledgeBase((owner, id) => knowledge.base(owner, id), scope, knowledgeBaseId)
  return presentKnowledgeBase(base)
}

/** One page of a base's documents, newest first. @throws DomainError `knowledge_base_not_found` or `forbidden` */
export async function listKnowledgeDocuments(
  { knowledge }: Read,
  scope: Scope,
  knowledgeBaseId: IdText<KnowledgeBaseId>,
  { page = 1, limit = 20, q, status }: QueryOf<ListDocuments> & NameFilter & StatusFilter,
): Promise<ResultOf<ListDocuments>> {
  const base = await findKnowledgeBase((owner, id) => knowledge.base(owner, id), scope, knowledgeBaseId)
  const { rows, total } = await knowledge.documentPage(scope.organizationId, base.id, {
    page,
    limit,
    q,
    status,
  })
  return { data: rows.map(presentDocument), total, page, limit }
}

/** @throws DomainError `knowledge_base_not_found`, `forbidden` or `document_not_found` */
export async function getKnowledgeDocument(
  read: Read,
  scope: Scope,
  ids: { knowledgeBaseId: IdText<KnowledgeBaseId>; documentId: IdText<KnowledgeDocumentId> },
): Promise<KnowledgeDocument> {
  return presentDocument((await findKnowledgeDocument(read, scope, ids)).document)
}
