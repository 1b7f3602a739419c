import {
  canonicalJson,
  DomainError,
  type IdText,
  invalidField,
  type KnowledgeBaseId,
  type KnowledgeDocument,
  type KnowledgeDocumentId,
} from '@troupe/contract'
import type { UpdateKnowledgeDocumentBody } from '@troupe/contract/builder'
import type {
  Actor,
  Database,
  KnowledgeBaseRecord,
  KnowledgeDocumentRecord,
  Readers,
  Transaction,
} from '@troupe/storage'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { currentVersion } from '../changes/require-version.ts'
import { isUniqueViolation } from '../changes/unique-violation.ts'
import { named } from '../knowledge/add-knowledge-document.ts'
import { findKnowledgeDocument } from '../knowledge/find-knowledge-base.ts'
import { documentNotFound, requireSmallMetadata } from '../knowledge/knowledge-errors.ts'
import { presentDocument } from '../knowledge/present-knowledge.ts'

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
  /** null if there are no such bytes. */
  text(storageKey: string): Promise<string | null>
  /** Never throws. */
  delete(keys: readonly string[]): Promise<void>
  /** Starts reading queued documents. */
  hurry(): void
}

/** Dependencies of the operations. */
export interface WrittenDocumentParts {
  database: Pick<Database, 'read' | 'transaction'>
  documents: WrittenTexts
}

interface DocumentIds {
  knowledgeBaseId: IdText<KnowledgeBaseId>
  documentId: IdText<KnowledgeDocumentId>
}

/**
 * The text of a document that was written in the builder; null for files and pages.
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
 * Changes the text, name or metadata of a written document under the same id; absent fields are unchanged. A document
 * with another text is read again; searches find the previous one until then, unless the metadata changes too.
 *
 * The document is locked, so that the second of two concurrent edits sees the first. Its base is not locked: its lock
 * would have to come first.
 *
 * @returns the stored document
 * @throws DomainError `knowledge_base_not_found`, `document_not_found`, `version_conflict`, or `validation_error` for a
 * document that was not written in the builder, for a text without the hash of the previous one, or for the text of
 * another document
 */
export async function updateKnowledgeDocument(
  { database, documents }: WrittenDocumentParts,
  caller: BuilderCaller,
  ids: DocumentIds,
  edit: UpdateKnowledgeDocumentBody,
): Promise<KnowledgeDocument> {
  const { text, contentHash: edited } = edit
  if (text !== undefined && edited === undefined) throw invalidField('contentHash', 'is required with text')
  const { base, document: found } = await findKnowledgeDocument(database.read, caller, ids)
  if (found.source !== 'text') throw notWritten()
  if (edit.metadata !== undefined) requireSmallMetadata(edit.metadata)
  const content = text === undefined ? null : await contentOf(documents, text, edited)
  const store = () =>
    database.transaction(async ({ read, write }) => {
      const before = await write.knowledge.lockDocument(base.organizationId, base.id, found.id)
      if (before === null) throw documentNotFound()
      // A bundle may have replaced it with a file.
      if (before.source !== 'text') throw notWritten()
      if (text !== undefined && before.contentHash !== edited) throw await staleEdit(read, before)
      if (content !== null) await requireOtherContent(read, before, content)
      const name = edit.name === undefined ? before.name : named(edit.name)
      const { metadata = before.metadata } = edit
      const row = { id: before.id, organizationId: before.organizationId, name, metadata }
      const given = audited({ ...before, ...row, ...content })
      if (canonicalJson(audited(before)) === canonicalJson(given)) return { before, after: before }
      await write.knowledge.updateDocument(row, content)
      const after = await read.knowledge.document(base.organizationId, base.id, found.id)
      if (after === null) throw documentNotFound()
      await auditEdit(write, caller.actor, base, { before, after })
      return { before, after }
    })
  const { before, after } = await store().catch(async (error: unknown) => {
    if (content !== null) await documents.delete([content.storageKey])
    // The same content was added concurrently, and its row was first.
    throw isUniqueViolation(error)
      ? invalidField('text', 'is already the content of another document')
      : error
  })
  if (content !== null) {
    if (before.storageKey !== null) await documents.delete([before.storageKey])
    documents.hurry()
  }
  return presentDocument(after)
}

const notWritten = () => invalidField('text', 'can only be edited where it was written')

/** A stored text. */
interface WrittenContent {
  source: 'text'
  storageKey: string
  contentType: string
  sizeBytes: number
  contentHash: string
}

/** Stores a new text; null if the text is not edited. */
async function contentOf(
  documents: WrittenTexts,
  text: string,
  edited: string | undefined,
): Promise<WrittenContent | null> {
  await using file = await documents.fromText(text)
  const { contentHash, contentType, sizeBytes } = file
  if (contentHash === edited) return null
  const storageKey = await documents.keep(file)
  return { source: 'text', storageKey, contentType, sizeBytes, contentHash }
}

/** @throws DomainError `validation_error` for the content of another document of the base */
async function requireOtherContent(
  { knowledge }: Pick<Readers, 'knowledge'>,
  { organizationId, baseId }: KnowledgeDocumentRecord,
  { contentHash }: WrittenContent,
): Promise<void> {
  const same = await knowledge.sameDocument(organizationId, baseId, { contentHash })
  if (same) throw invalidField('text', `is already the content of “${same.name}”`)
}

/** The editable fields. */
function audited({
  name,
  metadata,
  contentHash,
}: Pick<KnowledgeDocumentRecord, 'name' | 'metadata' | 'contentHash'>) {
  return { name, metadata, contentHash }
}

async function auditEdit(
  { audit }: Pick<Transaction['write'], 'audit'>,
  actor: Actor,
  { organizationId, projectId, id: baseId }: KnowledgeBaseRecord,
  { before, after }: Record<'before' | 'after', KnowledgeDocumentRecord>,
): Promise<void> {
  await audit.append({
    organizationId,
    projectId,
    actor,
    action: 'knowledge_document.updated',
    entityKind: 'knowledge_document',
    entityId: after.id,
    before: { ...audited(before), baseId },
    after: { ...audited(after), baseId },
  })
}

/** The error with the author of the last edit of the document. */
async function staleEdit(
  { builder }: Pick<Readers, 'builder'>,
  { organizationId, id }: KnowledgeDocumentRecord,
): Promise<DomainError> {
  const latest = await builder.audit.latest(organizationId, 'knowledge_document', id)
  return new DomainError('version_conflict', 'The document has changed since it was edited.', {
    current: currentVersion({ number: null, versionId: null }, latest),
  })
}
