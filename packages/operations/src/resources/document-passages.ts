import { type IdText, invalidField, type KnowledgeBaseId, type KnowledgeDocumentId } from '@troupe/contract'
import type { DocumentPassage } from '@troupe/contract/builder'
import type { Readers } from '@troupe/storage'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { findKnowledgeDocument } from '../knowledge/find-knowledge-base.ts'

/**
 * One page of the passages of a document, in its order. The pages of a list are of one reading of the document.
 *
 * @throws DomainError `knowledge_base_not_found`, `document_not_found`, or `validation_error` for an `after` that no
 * page returned, or that belongs to a replaced reading
 */
export async function listKnowledgePassages(
  read: Pick<Readers, 'knowledge' | 'builder'>,
  caller: BuilderCaller,
  ids: { knowledgeBaseId: IdText<KnowledgeBaseId>; documentId: IdText<KnowledgeDocumentId> },
  { after, limit = 20 }: { after?: string | undefined; limit?: number | undefined },
): Promise<{ data: DocumentPassage[]; next: string | null }> {
  const place = after === undefined ? null : placeOf(after)
  const { document, base } = await findKnowledgeDocument(read, caller, ids)
  const rows = await read.builder.knowledgePassages.list(
    caller.organizationId,
    { baseId: base.id, documentId: document.id },
    { after: place, limit: limit + 1 },
  )
  // There is a next page, and a searched reading never changes.
  if (place !== null && rows.length === 0) throw outdated()
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    data: shown.map(({ index, page, text }) => ({ index, page, text })),
    next: rows.length > limit && last ? `${last.reading}.${last.index}` : null,
  }
}

function placeOf(after: string): { reading: number; index: number } {
  const [, reading, index] = /^(\d{1,9})\.(\d{1,9})$/.exec(after) ?? []
  if (reading === undefined || index === undefined) throw outdated()
  return { reading: Number(reading), index: Number(index) }
}

const outdated = () =>
  invalidField(
    'after',
    'must be `next` of the previous page, and the document must not have been read again since',
  )
