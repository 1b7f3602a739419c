import { SliceEnded } from '@troupe/turns'

/** Writes what a step gave, durably. Throws when it cannot, or when the job belongs to another worker. */
export type CommitStep = (key: string, output: unknown) => Promise<void>

/**
 * What the steps of a run gave, under their stable keys. A mode is straight-line code: a job that is taken over runs it
 * again, and every step that was committed gives its output without being repeated. Runs that live in one process have
 * nothing to replay and commit nothing before their end.
 */
export class Journal {
  readonly #committed: ReadonlyMap<string, unknown>
  readonly #commit: CommitStep | null
  readonly #underWay = new Set<Promise<unknown>>()
  #ending = false

  constructor(committed: ReadonlyMap<string, unknown> = new Map(), commit: CommitStep | null = null) {
    this.#committed = committed
    this.#commit = commit
  }

  /** Whether an earlier slice has committed this step. */
  has(key: string): boolean {
    return this.#committed.has(key)
  }

  /**
   * The committed output of the step, or what `work` gives now, committed before this resolves. Outputs are JSON. A
   * step that throws leaves nothing behind.
   *
   * @throws SliceEnded when the turn is over and the step would have to start.
   */
  async once<T>(key: string, work: () => Promise<T>): Promise<T> {
    if (this.#committed.has(key)) return this.#committed.get(key) as T
    if (this.#ending) throw new SliceEnded()
    const step = this.#run(key, work)
    this.#underWay.add(step)
    return step.finally(() => this.#underWay.delete(step))
  }

  async #run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const output = await work()
    await this.#commit?.(key, output)
    return output
  }

  /** Lets no new step start. */
  end(): void {
    this.#ending = true
  }

  /** Resolves when no step is under way; steps that fail count as ended. */
  async settled(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.allSettled([...this.#underWay])
  }
}
