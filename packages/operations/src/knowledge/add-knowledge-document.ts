import { Readable } from 'node:stream'
import type { Scope } from '@troupe/agents/ports'
import {
  type BodyOf,
  DomainError,
  type IdText,
  invalidField,
  type KnowledgeBaseId,
  type KnowledgeDocument,
  KnowledgeDocumentId,
  type NewId,
  type OPERATIONS,
  oneLine,
} from '@troupe/contract'
import { recogniseFile } from '@troupe/documents'
import { type FileStore, type IncomingFile, type IncomingFiles, newStorageKey } from '@troupe/file-stores'
import type { Actor, Database, KnowledgeBaseRecord, KnowledgeDocumentRecord } from '@troupe/storage'
import { auditDocument } from './audit-document.ts'
import { documentUrl } from './document-url.ts'
import type { DeleteFiles } from './documents/document-files.ts'
import { hashOfFile } from './documents/hash-of-file.ts'
import { findKnowledgeBase } from './find-knowledge-base.ts'
import { documentNotFound, requireSmallMetadata } from './knowledge-errors.ts'
import { presentDocument } from './present-knowledge.ts'

/** Maximum number of UTF-8 bytes per UTF-16 code unit. */
const BYTES_PER_UNIT = 3
const LONGEST_NAME = 255
const KINDS = 'pdf, docx, doc, xlsx, xls, txt, md, csv, html and xml'

/** Dependencies of the operation. */
export interface AddDocumentParts {
  database: Pick<Database, 'transaction' | 'read'>
  files: FileStore
  incoming: IncomingFiles
  newId: NewId
  deleteFiles: DeleteFiles
  /** Called when a document was queued. */
  hurry(): void
}

/** A document, and whether it will be read: content that the base already has is not read again. */
export interface AddedDocument {
  document: KnowledgeDocument
  queued: boolean
}

type Body = BodyOf<(typeof OPERATIONS)['addKnowledgeDocument']>
type Identity = Pick<KnowledgeDocumentRecord, 'name' | 'source' | 'url' | 'metadata'>

/**
 * Queues a text or a URL.
 *
 * @throws DomainError `validation_error`, `knowledge_base_not_found` or `forbidden`
 */
export async function addKnowledgeDocument(
  parts: AddDocumentParts,
  scope: Scope,
  actor: Actor,
  knowledgeBaseId: IdText<KnowledgeBaseId>,
  { name, text, url, metadata = {} }: Body,
): Promise<AddedDocument> {
  const base = await openBase(parts, scope, knowledgeBaseId)
  requireSmallMetadata(metadata)
  if ((text === undefined) === (url === undefined)) {
    throw invalidField('body', 'must have either text or url, or be a file as multipart/form-data')
  }
  if (url !== undefined) {
    const address = documentUrl(url)
    if (address instanceof Error) throw invalidField('url', address.message)
    return addUrl(parts, actor, base, {
      name: name ?? address.href,
      source: 'url',
      url: address.href,
      metadata,
    })
  }
  if (name === undefined) throw invalidField('name', 'is required with text')
  const bytes = Buffer.from((text ?? '').toWellFormed(), 'utf8')
  await using file = await parts.incoming.receive(Readable.from([bytes]), bytes.length + BYTES_PER_UNIT)
  const identity: Identity = { name: named(name), source: 'text', url: null, metadata }
  // Awaited here, because the temporary file is deleted when this function returns.
  return await addBytes(parts, actor, base, identity, file, 'text/markdown')
}

/**
 * Queues a received file.
 *
 * @throws DomainError `unsupported_document`, `knowledge_base_not_found` or `forbidden`
 */
export async function addKnowledgeFile(
  parts: AddDocumentParts,
  scope: Scope,
  actor: Actor,
  knowledgeBaseId: IdText<KnowledgeBaseId>,
  { filename, file }: { filename: string; file: IncomingFile },
): Promise<AddedDocument> {
  const base = await openBase(parts, scope, knowledgeBaseId)
  const { contentType, format } = await recogniseFile(file.path, filename)
  if (format === null) {
    throw new DomainError(
      'unsupported_document',
      `The text of this file cannot be read, or its content does not match its name. Files may be ${KINDS}.`,
    )
  }
  const identity: Identity = { name: filename, source: 'file', url: null, metadata: {} }
  return await addBytes(parts, actor, base, identity, file, contentType)
}

/** A file name without folders and hidden characters, at most 255 characters. */
export function named(sent: string): string {
  const last = oneLine(sent.split(/[/\\]/).at(-1) ?? '')
  return last === '' ? 'document' : last.slice(-LONGEST_NAME).toWellFormed()
}

function openBase({ database }: AddDocumentParts, scope: Scope, id: string): Promise<KnowledgeBaseRecord> {
  return findKnowledgeBase((owner, baseId) => database.read.knowledge.base(owner, baseId), scope, id)
}

/** A known URL is read again, because its content may have changed. */
async function addUrl(
  parts: AddDocumentParts,
  actor: Actor,
  base: KnowledgeBaseRecord,
  identity: Identity & { url: string },
): Promise<AddedDocument> {
  const { organizationId, id: baseId } = base
  const known = await parts.database.read.knowledge.sameDocument(organizationId, baseId, identity)
  if (known) return requeue(parts, actor, base, known)
  const unread = { storageKey: null, contentType: null, sizeBytes: 0, contentHash: null }
  return insert(parts, actor, base, { ...identity, ...unread })
}

async function addBytes(
  parts: AddDocumentParts,
  actor: Actor,
  base: KnowledgeBaseRecord,
  identity: Identity,
  file: IncomingFile,
  contentType: string,
): Promise<AddedDocument> {
  const { path, sizeBytes } = file
  const contentHash = await hashOfFile(path)
  const { knowledge } = parts.database.read
  const known = await knowledge.sameDocument(base.organizationId, base.id, { contentHash })
  if (known?.status === 'failed') return requeue(parts, actor, base, known)
  if (known) return { document: presentDocument(known), queued: false }
  const storageKey = newStorageKey('knowledge')
  await parts.files.put(storageKey, { path, contentType, sizeBytes })
  try {
    return await insert(parts, actor, base, { ...identity, storageKey, contentType, sizeBytes, contentHash })
  } catch (error) {
    await parts.deleteFiles([storageKey])
    // The same content was added concurrently, and its row was first.
    const first = await knowledge.sameDocument(base.organizationId, base.id, { contentHash })
    if (first) return { document: presentDocument(first), queued: false }
    throw error
  }
}

async function insert(
  parts: AddDocumentParts,
  actor: Actor,
  base: KnowledgeBaseRecord,
  fields: Omit<Parameters<InsertDocument>[0], 'id' | 'organizationId' | 'baseId'>,
): Promise<AddedDocument> {
  const { organizationId, id: baseId } = base
  const id = parts.newId(KnowledgeDocumentId)
  await parts.database.transaction(async ({ write }) => {
    await write.knowledge.insertDocument({ id, organizationId, baseId, ...fields })
    await auditDocument({ write }, actor, 'knowledge_document.added', base, { id, name: fields.name })
  })
  return queued(parts, { organizationId, baseId, id })
}

type InsertDocument = Parameters<
  Parameters<Database['transaction']>[0]
>[0]['write']['knowledge']['insertDocument']

async function requeue(
  parts: AddDocumentParts,
  actor: Actor,
  base: KnowledgeBaseRecord,
  known: KnowledgeDocumentRecord,
): Promise<AddedDocument> {
  await parts.database.transaction(async ({ write }) => {
    await write.knowledge.requeue(known.organizationId, known.id)
    await auditDocument({ write }, actor, 'knowledge_document.reread', base, known)
  })
  return queued(parts, known)
}

async function queued(
  { database, hurry }: AddDocumentParts,
  { organizationId, baseId, id }: Pick<KnowledgeDocumentRecord, 'organizationId' | 'baseId' | 'id'>,
): Promise<AddedDocument> {
  const document = await database.read.knowledge.document(organizationId, baseId, id)
  if (!document) throw documentNotFound()
  hurry()
  return { document: presentDocument(document), queued: true }
}
