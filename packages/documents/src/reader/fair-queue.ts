/** The queue is full. The document was not read; the caller may retry. */
export class DocumentsBusyError extends Error {
  override readonly name = 'DocumentsBusyError'
}

/** Limits of concurrent and waiting work. */
export interface QueueLimits {
  working: number
  waiting: number
  /** Waiting entries of one group. */
  waitingOfGroup: number
  /** Milliseconds after which a waiting entry gives up. */
  patienceMs: number
}

interface Waiting {
  start(): void
  giveUp(reason: string): void
}

/**
 * Bounds concurrent work with round-robin turns between groups: a group with a hundred slow documents does
 * not delay a group with one.
 */
export class FairQueue {
  readonly #limits: QueueLimits
  /** In the order of the groups' next turns. */
  readonly #groups = new Map<string, Waiting[]>()
  #waiting = 0
  #working = 0
  #isClosed = false

  constructor(limits: QueueLimits) {
    this.#limits = limits
  }

  /** @throws DocumentsBusyError when the work was never started; whatever the work throws */
  async run<T>(group: string, work: () => Promise<T>): Promise<T> {
    await this.#turn(group)
    try {
      return await work()
    } finally {
      this.#working -= 1
      this.#startNext()
    }
  }

  /** Rejects waiting and later callers. Running work continues. */
  close(): void {
    this.#isClosed = true
    for (const waiting of [...this.#groups.values()].flat())
      waiting.giveUp('the queue of documents is closed')
  }

  async #turn(group: string): Promise<void> {
    if (this.#isClosed) throw new DocumentsBusyError('the queue of documents is closed')
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
    // The group moves to the end of the queue, behind the other groups.
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
