import type { KnowledgeBaseId, KnowledgeDocumentId, OrganizationId } from '@troupe/contract'
import { nullable, number, text } from '../sql/client/columns.ts'
import type { SqlClient } from '../sql/client/sql-client.ts'
import { statement } from '../sql/client/statement.ts'

/** A passage of a document. */
export interface DocumentPassageRow {
  /** The reading of the document; the same for all rows of a page. */
  reading: number
  /** Counts from 0 within the document. */
  index: number
  page: number | null
  text: string
}

/** The end of a page: a position in one reading of the document. A reading never changes. */
export interface PassagePlace {
  reading: number
  index: number
}

const LIST = statement<'organizationId' | 'baseId' | 'documentId' | 'reading' | 'index' | 'limit'>(
  'list_document_passages',
  (p) => `
select c.reading, c.idx as "index", c.page, c.text
from knowledge_documents d
join knowledge_bases b on b.id = d.base_id
join knowledge_chunks c on c.document_id = d.id and c.set_id = b.set_id and c.reading = d.searched_reading
where d.organization_id = ${p.organizationId}::uuid and d.base_id = ${p.baseId}::uuid and d.id = ${p.documentId}::uuid
  and c.reading = coalesce(${p.reading}::int, c.reading) and c.idx > ${p.index}::int
order by c.idx limit ${p.limit}::int`,
).returning({ reading: number(), index: number(), page: nullable(number()), text: text() })

/** Reads of the passages of a document that searches find. */
export function knowledgePassageRows(client: SqlClient) {
  return {
    /** In document order, after a position; null: from the start. Empty if that reading is no longer searched. */
    list: (
      organizationId: OrganizationId,
      ids: { baseId: KnowledgeBaseId; documentId: KnowledgeDocumentId },
      { after, limit }: { after: PassagePlace | null; limit: number },
    ): Promise<DocumentPassageRow[]> =>
      client.query(...LIST({ organizationId, ...ids, ...(after ?? { reading: null, index: -1 }), limit })),
  }
}
