import type { Readable } from 'node:stream'

/** A local file to be stored. */
export interface LocalFile {
  /** Absolute path. */
  path: string
  /** A media type, detected from the content and not declared by the sender. */
  contentType: string
  sizeBytes: number
}

/**
 * Port: stores the bytes of files. Keys are created by {@link newStorageKey} and contain no user input.
 * Methods throw when the store fails.
 */
export interface FileStore {
  /** Stores a copy of the file under an unused key; the caller's file may be moved instead of copied. */
  put(key: string, file: LocalFile): Promise<void>
  /** Streams the complete file; null when it does not exist. */
  open(key: string): Promise<Readable | null>
  /** Deletes the file; idempotent, so it can be retried. */
  delete(key: string): Promise<void>
  /** Throws when the store is unusable; for readiness. */
  ping(): Promise<void>
}
