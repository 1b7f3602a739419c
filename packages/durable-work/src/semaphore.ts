/** The semaphore was closed before the work got a slot. */
export class SemaphoreClosed extends Error {
  override readonly name = 'SemaphoreClosed'
}

interface Waiting {
  enter: () => void
  turnAway: () => void
}

/** Runs at most `limit` pieces of work concurrently; further ones queue first in, first out. */
export class Semaphore {
  readonly #limit: number
  #running = 0
  #waiting: Waiting[] = []
  #closed = false
  #empty = Promise.withResolvers<void>()

  constructor(limit: number) {
    this.#limit = limit
  }

  /** The number of queued callers. */
  get waiting(): number {
    return this.#waiting.length
  }

  /**
   * Runs `work` as soon as a slot is free.
   *
   * @throws SemaphoreClosed when the semaphore closes before that
   */
  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.#enter()
    try {
      return await work()
    } finally {
      this.#leave()
    }
  }

  /**
   * Takes a slot without waiting; the returned function releases it. null when none is free or the semaphore
   * is closed.
   */
  tryEnter(): (() => void) | null {
    if (this.#closed || this.#running >= this.#limit) return null
    this.#running += 1
    let left = false
    return () => {
      if (left) return
      left = true
      this.#leave()
    }
  }

  /** Rejects queued and later callers. Resolves when the running work has ended. */
  close(): Promise<void> {
    this.#closed = true
    for (const { turnAway } of this.#waiting.splice(0)) turnAway()
    if (this.#running === 0) this.#empty.resolve()
    return this.#empty.promise
  }

  async #enter(): Promise<void> {
    if (this.#closed) throw new SemaphoreClosed()
    if (this.#running < this.#limit) {
      this.#running += 1
      return
    }
    // A released slot passes directly to the first waiter, so a new caller cannot overtake the queue.
    await new Promise<void>((enter, reject) => {
      this.#waiting.push({ enter, turnAway: () => reject(new SemaphoreClosed()) })
    })
  }

  #leave(): void {
    const next = this.#waiting.shift()
    if (next) {
      next.enter()
      return
    }
    this.#running -= 1
    if (this.#closed && this.#running === 0) this.#empty.resolve()
  }
}
