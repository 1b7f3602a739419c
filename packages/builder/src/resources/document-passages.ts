import type { DocumentPassage } from '@troupe/builder-contract'
import { DomainError } from '@troupe/contract'
import type { Readers } from '@troupe/database'
import { findKnowledgeDocument } from '@troupe/operations/knowledge/find-knowledge-base'
import type { BuilderCaller } from '../access/builder-caller.ts'

/**
 * One page of the passages of a document, in its order.
 *
 * @throws DomainError `knowledge_base_not_found`, `document_not_found`, or `validation_error` for an `after` that no page had
 */
export async function listKnowledgePassages(
  read: Pick<Readers, 'knowledge' | 'builder'>,
  caller: BuilderCaller,
  ids: { knowledgeBaseId: string; documentId: string },
  { after, limit = 20 }: { after?: string | undefined; limit?: number | undefined },
): Promise<{ data: DocumentPassage[]; next: string | null }> {
  const start = after === undefined ? -1 : indexOf(after)
  const { document, base } = await findKnowledgeDocument(read, caller, ids)
  const rows = await read.builder.knowledgePassages.list(
    caller.organizationId,
    { baseId: base.id, documentId: document.id },
    { after: start, limit: limit + 1 },
  )
  const data = rows.slice(0, limit)
  const last = data.at(-1)
  return { data, next: rows.length > limit && last ? String(last.index) : null }
}

function indexOf(after: string): number {
  if (/^\d{1,9}$/.test(after)) return Number(after)
  const errors = [{ path: 'after', message: 'must be `next` of the page before' }]
  throw new DomainError('validation_error', 'The request is not valid.', { errors })
}
