import type { Readable } from 'node:stream'

/** A file on this machine that is to be stored. */
export interface LocalFile {
  /** Absolute path. */
  path: string
  /** A media type; what the content shows, not what a sender says. */
  contentType: string
  sizeBytes: number
}

/**
 * Port: where the bytes of files are kept. Keys are made by {@link newStorageKey} and hold nothing that a person has
 * chosen. Methods throw when the store fails.
 */
export interface FileStore {
  /** Stores a copy of the file under a key that nothing has yet; the caller's file may be moved instead of copied. */
  put(key: string, file: LocalFile): Promise<void>
  /** Streams the bytes from the first to the last; null when there is no such file. */
  open(key: string): Promise<Readable | null>
  /** Deletes the file; nothing happens when there is none, so that it can be tried again. */
  delete(key: string): Promise<void>
  /** Throws when the store cannot be used; for readiness. */
  ping(): Promise<void>
}
