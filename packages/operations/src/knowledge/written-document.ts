import { Readable } from 'node:stream'
import type { Scope } from '@troupe/agents/ports'
import { type DomainError, type KnowledgeDocument, propertyOf } from '@troupe/contract'
import type { Actor, Database, KnowledgeDocumentRecord, Readers } from '@troupe/database'
import { type FileStore, type IncomingFiles, newStorageKey } from '@troupe/file-stores'
import type { DeleteFiles } from '@troupe/retrieval/documents/document-files'
import { hashOfFile } from '@troupe/retrieval/documents/hash-of-file'
import { named } from './add-knowledge-document.ts'
import { auditDocument } from './audit-document.ts'
import { findKnowledgeDocument } from './find-knowledge-base.ts'
import { documentNotFound, invalidField } from './knowledge-errors.ts'
import { presentDocument } from './present-knowledge.ts'

interface DocumentIds {
  knowledgeBaseId: string
  documentId: string
}

/**
 * The text of a document that was written as one; null for files and pages.
 *
 * @throws DomainError `knowledge_base_not_found`, `forbidden` or `document_not_found`
 */
export async function getKnowledgeDocumentText(
  { database, files }: { database: Pick<Database, 'read'>; files: Pick<FileStore, 'open'> },
  scope: Scope,
  ids: DocumentIds,
): Promise<{ text: string | null; contentHash: string | null }> {
  const { document } = await findKnowledgeDocument(database.read, scope, ids)
  const { source, storageKey, contentHash } = document
  if (source !== 'text' || storageKey === null) return { text: null, contentHash }
  const stream = await files.open(storageKey)
  // An edit has deleted the former bytes after the row was read: the caller asks again.
  if (stream === null) throw documentNotFound()
  return { text: Buffer.concat(await stream.toArray()).toString('utf8'), contentHash }
}

/** What the operation uses. */
export interface EditDocumentParts {
  database: Pick<Database, 'read' | 'transaction'>
  files: FileStore
  incoming: IncomingFiles
  deleteFiles: DeleteFiles
  /** Called when the document was queued. */
  hurry(): void
}

/** An edited document. */
export interface EditedDocument {
  name: string
  text: string
  metadata: Record<string, unknown>
  /** Of the text that was edited. */
  contentHash: string
}

/** Refuses an edit of another text than the stored one; says who changed it. */
export type RefuseStaleEdit = (read: Readers, document: KnowledgeDocumentRecord) => Promise<DomainError>

/**
 * Gives a written document another text, name or metadata under its own id. Its former passages stay until the new text was read.
 *
 * The base is locked, so that of two edits at the same time, the second one finds what the first has stored.
 *
 * @returns the document as it was stored
 * @throws DomainError `knowledge_base_not_found`, `forbidden`, `document_not_found`, `validation_error` for a document that was not
 * written, or for a text that another document has, or what `stale` returns
 */
export async function updateKnowledgeDocument(
  parts: EditDocumentParts,
  scope: Scope,
  actor: Actor,
  ids: DocumentIds,
  { name, text, metadata, contentHash: edited }: EditedDocument,
  stale: RefuseStaleEdit,
): Promise<KnowledgeDocument> {
  const { database, files, deleteFiles } = parts
  await findKnowledgeDocument(database.read, scope, ids)
  const bytes = Buffer.from(text.toWellFormed(), 'utf8')
  await using file = await parts.incoming.receive(Readable.from([bytes]), bytes.length)
  const contentHash = await hashOfFile(file.path)
  const contentType = 'text/markdown'
  const { sizeBytes } = file
  const storageKey = newStorageKey('knowledge')
  await files.put(storageKey, { path: file.path, contentType, sizeBytes })
  let unused = [storageKey]
  try {
    const { document, isOther } = await database.transaction(async ({ read, write }) => {
      const { base } = await findKnowledgeDocument(read, scope, ids)
      await write.knowledge.lockBase(base.organizationId, base.id)
      const { document: before } = await findKnowledgeDocument(read, scope, ids)
      if (before.source !== 'text')
        throw invalidField('text', 'can only be edited of a document that was written')
      if (before.contentHash !== edited) throw await stale(read, before)
      const isOther = before.contentHash !== contentHash
      const same =
        isOther && (await read.knowledge.sameDocument(base.organizationId, base.id, { contentHash }))
      if (same) throw invalidField('text', `is the content of “${same.name}” already`)
      const content = { source: 'text', storageKey, contentType, sizeBytes, contentHash } as const
      const { organizationId, id } = before
      await write.knowledge.updateDocument(
        { id, organizationId, name: named(name), metadata },
        isOther ? content : null,
      )
      const { document } = await findKnowledgeDocument(read, scope, ids)
      await auditDocument({ write }, actor, 'knowledge_document.updated', base, document)
      if (isOther) unused = before.storageKey === null ? [] : [before.storageKey]
      return { document, isOther }
    })
    if (isOther) parts.hurry()
    return presentDocument(document)
  } catch (error) {
    // Nothing was committed, so the new bytes are those that nothing names.
    unused = [storageKey]
    // The same content was added at the same time, and its row was first.
    if (propertyOf(error, 'code') === '23505') {
      throw invalidField('text', 'is the content of another document already')
    }
    throw error
  } finally {
    await deleteFiles(unused)
  }
}
