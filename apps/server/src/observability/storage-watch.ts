import { statfs } from 'node:fs/promises'

/**
 * Bytes that must stay free. PostgreSQL writes its log in segments of 16 MB, and a database that cannot make the next one
 * stops with all that it is doing.
 */
const RESERVE_BYTES = 24 * 1024 * 1024
const EVERY_MS = 1_000

/** Bytes that are free for this user on the disk of a folder. Rejects when there is no such folder. */
export type FreeBytes = (folder: string) => Promise<number>

const freeBytesOf: FreeBytes = async (folder) => {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** Looks every second whether the data folder has room, so that writes are refused before the database fails. */
export class StorageWatch implements Disposable {
  readonly #folder: string
  readonly #freeBytes: FreeBytes
  readonly #timer: NodeJS.Timeout
  #full = false

  constructor(folder: string, freeBytes: FreeBytes = freeBytesOf) {
    this.#folder = folder
    this.#freeBytes = freeBytes
    this.#timer = setInterval(() => void this.look(), EVERY_MS).unref()
  }

  /** Whether less than 24 MB were free at the last look. */
  get full(): boolean {
    return this.#full
  }

  /** Looks now. A disk that cannot be asked counts as before. */
  async look(): Promise<boolean> {
    try {
      this.#full = (await this.#freeBytes(this.#folder)) < RESERVE_BYTES
    } catch {
      // The database itself says what is wrong with its folder.
    }
    return this.#full
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
  }
}
