import type { UpdateKnowledgeDocumentBody } from '@troupe/builder-contract'
import { DomainError, type KnowledgeDocument } from '@troupe/contract'
import type { Database, KnowledgeDocumentRecord, Readers } from '@troupe/database'
import { named } from '@troupe/operations/knowledge/add-knowledge-document'
import { auditDocument } from '@troupe/operations/knowledge/audit-document'
import { findKnowledgeDocument } from '@troupe/operations/knowledge/find-knowledge-base'
import { documentNotFound, invalidField } from '@troupe/operations/knowledge/knowledge-errors'
import { presentDocument } from '@troupe/operations/knowledge/present-knowledge'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { currentVersion } from '../changes/require-version.ts'
import { isUniqueViolation } from '../changes/unique-violation.ts'

/** A text as a file, before it is stored. Disposing deletes the file. */
interface TextFile extends AsyncDisposable {
  sizeBytes: number
  /** SHA-256, hex. */
  contentHash: string
  contentType: string
}

/** Port: the stored bytes of documents. */
export interface WrittenTexts {
  fromText(text: string): Promise<TextFile>
  /** Stores a copy of a file that `fromText` made, and returns its key. */
  keep(file: TextFile): Promise<string>
  /** null: there are no such bytes. */
  text(storageKey: string): Promise<string | null>
  /** Never throws. */
  delete(keys: readonly string[]): Promise<void>
  /** Starts reading documents that were queued. */
  hurry(): void
}

/** What the operations use. */
export interface WrittenDocumentParts {
  database: Pick<Database, 'read' | 'transaction'>
  documents: WrittenTexts
}

interface DocumentIds {
  knowledgeBaseId: string
  documentId: string
}

/**
 * The text of a document that was written as one; null for files and pages.
 *
 * @throws DomainError `knowledge_base_not_found` or `document_not_found`
 */
export async function getKnowledgeDocumentText(
  { database, documents }: WrittenDocumentParts,
  caller: BuilderCaller,
  ids: DocumentIds,
): Promise<{ text: string | null; contentHash: string | null }> {
  const { document } = await findKnowledgeDocument(database.read, caller, ids)
  const { source, storageKey, contentHash } = document
  if (source !== 'text' || storageKey === null) return { text: null, contentHash }
  const text = await documents.text(storageKey)
  // The document was deleted or edited after its row was read.
  if (text === null) throw documentNotFound()
  return { text, contentHash }
}

/**
 * Gives a written document another text, name or metadata under its own id. Its former passages stay until the new text was read.
 *
 * The base is locked, so that of two edits at the same time, the second one finds what the first has stored.
 *
 * @returns the document as it was stored
 * @throws DomainError `knowledge_base_not_found`, `document_not_found`, `version_conflict`, or `validation_error` for a document that
 * was not written, or for a text that another document has
 */
export async function updateKnowledgeDocument(
  { database, documents }: WrittenDocumentParts,
  caller: BuilderCaller,
  ids: DocumentIds,
  { name, text, metadata, contentHash: edited }: UpdateKnowledgeDocumentBody,
): Promise<KnowledgeDocument> {
  await findKnowledgeDocument(database.read, caller, ids)
  await using file = await documents.fromText(text)
  const { contentHash, contentType, sizeBytes } = file
  const storageKey = await documents.keep(file)
  const content = { source: 'text', storageKey, contentType, sizeBytes, contentHash } as const
  const store = () =>
    database.transaction(async ({ read, write }) => {
      const { base } = await findKnowledgeDocument(read, caller, ids)
      const { organizationId } = base
      await write.knowledge.lockBase(organizationId, base.id)
      const { document: before } = await findKnowledgeDocument(read, caller, ids)
      if (before.source !== 'text') throw invalidField('text', 'can only be edited where it was written')
      if (before.contentHash !== edited) throw await staleEdit(read, before)
      const isOther = before.contentHash !== contentHash
      const same = isOther && (await read.knowledge.sameDocument(organizationId, base.id, { contentHash }))
      if (same) throw invalidField('text', `is the content of “${same.name}” already`)
      const row = { id: before.id, organizationId, name: named(name), metadata }
      await write.knowledge.updateDocument(row, isOther ? content : null)
      const { document } = await findKnowledgeDocument(read, caller, ids)
      await auditDocument({ write }, caller.actor, 'knowledge_document.updated', base, document)
      return { document, unused: isOther ? before.storageKey : storageKey }
    })
  const stored = await store().catch(async (error: unknown) => {
    await documents.delete([storageKey])
    // The same content was added at the same time, and its row was first.
    throw isUniqueViolation(error)
      ? invalidField('text', 'is the content of another document already')
      : error
  })
  if (stored.unused !== null) await documents.delete([stored.unused])
  if (stored.document.status === 'queued') documents.hurry()
  return presentDocument(stored.document)
}

/** Says who edited the document since. */
async function staleEdit(
  { builder }: Pick<Readers, 'builder'>,
  { organizationId, id }: KnowledgeDocumentRecord,
): Promise<DomainError> {
  const latest = await builder.audit.latest(organizationId, 'knowledge_document', id)
  return new DomainError('version_conflict', 'The document has another text than the one that was edited.', {
    current: currentVersion({ number: null, versionId: null }, latest),
  })
}
