import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { recogniseFile } from '@troupe/documents'
import { type FileStore, type IncomingFile, type IncomingFiles, newStorageKey } from '@troupe/file-stores'
import { hashOfFile } from './hash-of-file.ts'

/** A file on the local disk that may become a document. Disposing deletes it if it is a temporary one. */
export interface DocumentFile extends AsyncDisposable {
  /** Absolute path. */
  path: string
  sizeBytes: number
  /** SHA-256, hex. */
  contentHash: string
  /** Recognised from the content. */
  contentType: string
  /** Whether the text of such a file can be read. */
  isReadable: boolean
  isTemporary: boolean
}

/** Deletes stored bytes. Never throws: leftovers are unreachable. */
export type DeleteFiles = (keys: readonly string[]) => Promise<void>

/** Dependencies of documents from bundles. */
export interface DocumentFilesParts {
  files: FileStore
  incoming: IncomingFiles
  /** Largest document, in bytes. */
  maxFileBytes: number
  deleteFiles: DeleteFiles
  /** Called when documents were queued. */
  hurry(): void
}

/** The bytes of documents in a bundle, before and after they are stored. */
export class DocumentFiles {
  readonly #parts: DocumentFilesParts

  constructor(parts: DocumentFilesParts) {
    this.#parts = parts
  }

  /** null if there are too many. */
  async fromBytes(bytes: Uint8Array, filename: string): Promise<DocumentFile | null> {
    if (bytes.length > this.#parts.maxFileBytes) return null
    const file = await this.#parts.incoming.receive(Readable.from([bytes]), bytes.length)
    return describe(file.path, filename, file)
  }

  /** A text, which is stored as Markdown regardless of its name. */
  async fromText(text: string): Promise<DocumentFile> {
    const bytes = Buffer.from(text.toWellFormed(), 'utf8')
    const file = await this.#parts.incoming.receive(Readable.from([bytes]), bytes.length)
    const described = await describe(file.path, 'text.md', file)
    return { ...described, contentType: 'text/markdown', isReadable: true }
  }

  /** A copy of a local file, which is not moved; null if it is too large. @throws an error of the file system */
  async fromDisk(path: string, filename: string): Promise<DocumentFile | null> {
    const { size } = await stat(path)
    return size > this.#parts.maxFileBytes ? null : describe(path, filename, null)
  }

  /** Stores a copy. Returns its key. @throws when the store fails */
  async keep({ path, isTemporary, contentType }: DocumentFile): Promise<string> {
    // The store may move the file, so it gets a copy of a file that belongs to somebody else.
    await using file = isTemporary ? null : await this.#copy(path)
    const key = newStorageKey('knowledge')
    const { size: sizeBytes } = await stat(file?.path ?? path)
    await this.#parts.files.put(key, { path: file?.path ?? path, contentType, sizeBytes })
    return key
  }

  /** The complete text of a stored document; null if it is missing. */
  async text(storageKey: string): Promise<string | null> {
    const stream = await this.#parts.files.open(storageKey)
    return stream === null ? null : Buffer.concat(await stream.toArray()).toString('utf8')
  }

  /** Streams the bytes of a stored document; null if they are missing. */
  open(storageKey: string): Promise<Readable | null> {
    return this.#parts.files.open(storageKey)
  }

  /** Never throws. */
  async delete(keys: readonly string[]): Promise<void> {
    await this.#parts.deleteFiles(keys)
  }

  /** Starts reading queued documents. */
  hurry(): void {
    this.#parts.hurry()
  }

  #copy(path: string): Promise<IncomingFile> {
    return this.#parts.incoming.receive(createReadStream(path), this.#parts.maxFileBytes)
  }
}

async function describe(
  path: string,
  filename: string,
  temporary: IncomingFile | null,
): Promise<DocumentFile> {
  const { contentType, format } = await recogniseFile(path, filename)
  const { size: sizeBytes } = await stat(path)
  return {
    path,
    sizeBytes,
    contentHash: await hashOfFile(path),
    contentType,
    isReadable: format !== null,
    isTemporary: temporary !== null,
    async [Symbol.asyncDispose]() {
      await temporary?.[Symbol.asyncDispose]()
    },
  }
}
