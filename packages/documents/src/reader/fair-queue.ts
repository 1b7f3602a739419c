/** There are too many documents before this one. Nothing was read; it can be tried again. */
export class DocumentsBusyError extends Error {
  override readonly name = 'DocumentsBusyError'
}

/** How many may work and wait. */
export interface QueueLimits {
  working: number
  waiting: number
  /** Of one group. */
  waitingOfGroup: number
  /** After so many milliseconds a waiting one gives up. */
  patienceMs: number
}

interface Waiting {
  start(): void
  giveUp(reason: string): void
}

/**
 * Lets few work at once. Groups take turns: whoever sends a hundred slow documents waits for them behind everybody who
 * sends one.
 */
export class FairQueue {
  readonly #limits: QueueLimits
  /** A group stands at the place of its next turn. */
  readonly #groups = new Map<string, Waiting[]>()
  #waiting = 0
  #working = 0
  #isClosed = false

  constructor(limits: QueueLimits) {
    this.#limits = limits
  }

  /** @throws DocumentsBusyError when it did not come to the work; whatever the work throws */
  async run<T>(group: string, work: () => Promise<T>): Promise<T> {
    await this.#turn(group)
    try {
      return await work()
    } finally {
      this.#working -= 1
      this.#startNext()
    }
  }

  /** Whoever waits, and whoever comes, is refused. What works goes on. */
  close(): void {
    this.#isClosed = true
    for (const waiting of [...this.#groups.values()].flat()) waiting.giveUp('no documents are read any more')
  }

  async #turn(group: string): Promise<void> {
    if (this.#isClosed) throw new DocumentsBusyError('no documents are read any more')
    if (this.#working < this.#limits.working) {
      this.#working += 1
      return
    }
    const ofGroup = this.#groups.get(group) ?? []
    if (this.#waiting >= this.#limits.waiting || ofGroup.length >= this.#limits.waitingOfGroup) {
      throw new DocumentsBusyError('too many documents are waiting')
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const patience = setTimeout(
      () => waiting.giveUp('the document has waited too long'),
      this.#limits.patienceMs,
    )
    const waiting: Waiting = {
      start: () => {
        clearTimeout(patience)
        resolve()
      },
      giveUp: (reason) => {
        clearTimeout(patience)
        this.#remove(group, waiting)
        reject(new DocumentsBusyError(reason))
      },
    }
    ofGroup.push(waiting)
    this.#groups.set(group, ofGroup)
    this.#waiting += 1
    return promise
  }

  #startNext(): void {
    const [next] = this.#groups
    if (next === undefined || this.#working >= this.#limits.working) return
    const [group, [waiting]] = next
    if (waiting === undefined) return
    this.#remove(group, waiting)
    // To the end of the line, behind the other groups.
    const rest = this.#groups.get(group)
    if (rest !== undefined) {
      this.#groups.delete(group)
      this.#groups.set(group, rest)
    }
    this.#working += 1
    waiting.start()
  }

  #remove(group: string, waiting: Waiting): void {
    const rest = this.#groups.get(group)?.filter((one) => one !== waiting) ?? []
    this.#waiting -= 1
    if (rest.length === 0) this.#groups.delete(group)
    else this.#groups.set(group, rest)
  }
}
