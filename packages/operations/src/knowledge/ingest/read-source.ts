import { Readable } from 'node:stream'
import { placeholderReason, recogniseFile, type TextExtractor } from '@troupe/documents'
import { type FileStore, FileTooLargeError, type IncomingFile, type IncomingFiles } from '@troupe/file-stores'
import type { ClaimedDocument } from '@troupe/storage'
import { hashOfFile } from '../documents/hash-of-file.ts'

/** A permanently unreadable document; the message is a sentence for its owner. */
export class UnreadableDocumentError extends Error {
  override readonly name = 'UnreadableDocumentError'
}

/** A document that may be readable later; the message is a sentence for its owner. */
export class UnreachableDocumentError extends Error {
  override readonly name = 'UnreachableDocumentError'
}

/** Dependencies of reading. */
export interface SourceParts {
  files: FileStore
  incoming: IncomingFiles
  extractor: TextExtractor
  /** Reaches public addresses only. */
  fetch: typeof globalThis.fetch
  /** Largest document, in bytes. */
  maxBytes: number
}

/** A document's bytes on the local disk, with a name that reveals their type. Disposing deletes them. */
interface Fetched {
  file: IncomingFile
  filename: string
}

/** The text of a document, and the identity of its content. */
export interface SourceText {
  text: string
  contentHash: string
  sizeBytes: number
}

const EXTENSIONS: Readonly<Record<string, string>> = {
  'text/html': 'html',
  'application/xhtml+xml': 'html',
  'text/plain': 'txt',
  'text/markdown': 'md',
  'text/csv': 'csv',
  'text/xml': 'xml',
  'application/xml': 'xml',
  'application/pdf': 'pdf',
}
const FETCH_MS = 60_000

/**
 * Reads the text of a document.
 *
 * @throws UnreadableDocumentError, UnreachableDocumentError, BusyError, or the signal's reason
 */
export async function readSource(
  parts: SourceParts,
  document: ClaimedDocument,
  signal: AbortSignal,
): Promise<SourceText> {
  const { file: received, filename } = await (document.url === null
    ? fromStore(parts, document)
    : fromUrl(parts, document.url, signal))
  await using file = received
  const { path, sizeBytes } = file
  const recognised = await recogniseFile(path, filename)
  if (recognised.format === null) throw new UnreadableDocumentError('This type of file is not supported.')
  const { contentType } = recognised
  const { organizationId } = document
  const asked = { path, filename, contentType, sizeBytes, organizationId, pages: true }
  const text = await parts.extractor.extractText(asked)
  const reason = placeholderReason(text, asked)
  if (reason !== null) throw new UnreadableDocumentError(reason)
  if (text.trim() === '') throw new UnreadableDocumentError('The document has no text.')
  return { text, contentHash: await hashOfFile(path), sizeBytes }
}

async function fromStore(
  { files, incoming, maxBytes }: SourceParts,
  document: ClaimedDocument,
): Promise<Fetched> {
  const { storageKey, name, source } = document
  const bytes = storageKey === null ? null : await files.open(storageKey)
  if (bytes === null) throw new UnreadableDocumentError('The stored file is missing. Add the document again.')
  // Text that was received as JSON may have any name.
  const filename = source === 'text' ? 'text.md' : name
  return { file: await incoming.receive(bytes, Math.max(maxBytes, document.sizeBytes)), filename }
}

async function fromUrl(
  { fetch, incoming, maxBytes }: SourceParts,
  url: string,
  signal: AbortSignal,
): Promise<Fetched> {
  try {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(FETCH_MS)])
    const response = await fetch(url, {
      signal: limited,
      headers: { accept: 'text/html, text/*, */*;q=0.5' },
    })
    if (!response.ok) {
      await response.body?.cancel()
      const sentence = `The URL answered with status ${response.status}.`
      const isTemporary = response.status === 429 || response.status >= 500
      throw isTemporary ? new UnreachableDocumentError(sentence) : new UnreadableDocumentError(sentence)
    }
    const body = Readable.from(response.body ?? [])
    return { file: await incoming.receive(body, maxBytes), filename: nameOf(response, url) }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof UnreadableDocumentError || error instanceof UnreachableDocumentError) throw error
    if (error instanceof FileTooLargeError) throw new UnreadableDocumentError('The page is too large.')
    if (isRefused(error)) {
      throw new UnreadableDocumentError(
        'The address of the URL is not allowed: only public addresses are read.',
      )
    }
    throw new UnreachableDocumentError('The URL could not be reached.')
  }
}

/** Whether the guarded fetch refuses the address; its code is in the chain of causes. */
function isRefused(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ('code' in at && at.code === 'ADDRESS_NOT_ALLOWED') return true
  }
  return false
}

/** A file name that reveals the type of a response: from its media type, else from its path. */
function nameOf(response: Response, url: string): string {
  const type = response.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? ''
  const extension = EXTENSIONS[type]
  if (extension !== undefined) return `page.${extension}`
  return new URL(url).pathname.split('/').at(-1) || 'page.html'
}
