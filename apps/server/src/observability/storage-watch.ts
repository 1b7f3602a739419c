import { statfs } from 'node:fs/promises'

/**
 * Bytes that must stay free. PostgreSQL writes its log in segments of 16 MB, and crashes when it cannot
 * create the next one.
 */
const RESERVE_BYTES = 24 * 1024 * 1024
const EVERY_MS = 1_000

/** Free bytes for this user on the disk of a folder. Rejects when the folder does not exist. */
export type FreeBytes = (folder: string) => Promise<number>

const freeBytesOf: FreeBytes = async (folder) => {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** Checks the data folder's free space every second: writes are refused before the database fails. */
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

  /** Whether less than 24 MB were free at the last check. */
  get full(): boolean {
    return this.#full
  }

  /** Checks now. When the disk cannot be queried, the previous result stays. */
  async look(): Promise<boolean> {
    try {
      this.#full = (await this.#freeBytes(this.#folder)) < RESERVE_BYTES
    } catch {
      // The database reports problems with its folder itself.
    }
    return this.#full
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
  }
}
