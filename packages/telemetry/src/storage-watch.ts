import { statfs } from 'node:fs/promises'

/** Bytes that must stay free. PostgreSQL writes its log in segments of 16 MB, and crashes when it cannot create the next one. */
const RESERVE_BYTES = 24 * 1024 * 1024
const EVERY_MS = 1_000

/** Free bytes for this user on the disk of a folder. Rejects when they are unknown. */
export type FreeBytes = (folder: string) => Promise<number>

const freeBytesOf: FreeBytes = async (folder) => {
  const { bavail, bsize, blocks } = await statfs(folder)
  // Some network and FUSE file systems report only zeros.
  if (blocks === 0) throw new Error('this file system does not report its size')
  return bavail * bsize
}

/**
 * Checks the free space of the embedded database's folder every second: writes are refused before the database
 * fails. A PostgreSQL server reports its own full disk with every statement, so it needs no watch.
 */
export class StorageWatch implements Disposable {
  readonly #folder: string | null
  readonly #freeBytes: FreeBytes
  readonly #timer: NodeJS.Timeout | undefined
  #freeNow = Number.POSITIVE_INFINITY

  /** @param folder null: nothing is watched, and the disk is never full */
  constructor(folder: string | null, freeBytes: FreeBytes = freeBytesOf) {
    this.#folder = folder
    this.#freeBytes = freeBytes
    if (folder === null) return
    this.#timer = setInterval(() => void this.look(), EVERY_MS).unref()
  }

  /** Whether less than 24 MB were free at the last check. */
  get full(): boolean {
    return this.#freeNow < RESERVE_BYTES
  }

  /** Free bytes at the last check; infinite while unknown. */
  get freeBytes(): number {
    return this.#freeNow
  }

  /** Checks now. When the disk cannot be queried, the previous result is kept. */
  async look(): Promise<boolean> {
    if (this.#folder === null) return false
    try {
      this.#freeNow = await this.#freeBytes(this.#folder)
    } catch {
      // The database reports problems with its folder itself.
    }
    return this.full
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
  }
}
