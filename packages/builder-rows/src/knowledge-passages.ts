import type { KnowledgeBaseId, KnowledgeDocumentId, OrganizationId } from '@troupe/contract'
import { type SqlClient, statement } from '@troupe/sql'

/** A passage of a document. */
export interface DocumentPassageRow {
  /** Counts from 0 within the document. */
  index: number
  page: number | null
  text: string
}

const LIST = statement<'organizationId' | 'baseId' | 'documentId' | 'after' | 'limit'>(
  'list_document_passages',
  (p) => `
select c.idx as "index", c.page, c.text
from knowledge_documents d
join knowledge_bases b on b.id = d.base_id
join knowledge_chunks c on c.document_id = d.id and c.set_id = b.set_id
where d.organization_id = ${p.organizationId}::uuid and d.base_id = ${p.baseId}::uuid and d.id = ${p.documentId}::uuid
  and c.idx > ${p.after}::int
order by c.idx limit ${p.limit}::int`,
)

/**
 * Reads of what was read of documents. A search finds these passages only while the document is `ready`: one that is read again has
 * some of them, but is not found.
 */
export function knowledgePassageRows(client: SqlClient) {
  return {
    /** In the order of the document. `after`: the index of the last one of the page before; -1: from the start. */
    list: (
      organizationId: OrganizationId,
      ids: { baseId: KnowledgeBaseId; documentId: KnowledgeDocumentId },
      page: { after: number; limit: number },
    ): Promise<DocumentPassageRow[]> =>
      client.query<DocumentPassageRow>(...LIST({ organizationId, ...ids, ...page })),
  }
}
