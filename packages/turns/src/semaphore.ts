/** The semaphore was closed before the work got a place. */
export class SemaphoreClosed extends Error {
  override readonly name = 'SemaphoreClosed'
}

interface Waiting {
  enter: () => void
  turnAway: () => void
}

/** Lets at most `limit` pieces of work run at once. The others wait in line, first come, first served. */
export class Semaphore {
  readonly #limit: number
  #running = 0
  #waiting: Waiting[] = []
  #closed = false
  #empty = Promise.withResolvers<void>()

  constructor(limit: number) {
    this.#limit = limit
  }

  /** How many wait for a place. */
  get waiting(): number {
    return this.#waiting.length
  }

  /**
   * Does `work` as soon as there is a place.
   *
   * @throws SemaphoreClosed when it closes before that
   */
  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.#enter()
    try {
      return await work()
    } finally {
      this.#leave()
    }
  }

  /** Takes a place without waiting; the returned function gives it back. null when there is none, or it is closed. */
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

  /** Turns away who waits and who comes later. Resolves when the work under way has ended. */
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
    // Who leaves hands its place over, so that nobody can slip in between.
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
