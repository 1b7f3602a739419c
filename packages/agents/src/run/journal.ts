import { type JournalStep, SliceEnded, type StoredStep } from '@troupe/durable-work'
import type { CommittedStep } from '../ports/job-store.ts'

/** Stores a step durably. Throws when the write fails, or when another worker holds the job. */
export type CommitStep = (key: string, step: CommittedStep['step']) => Promise<void>

/**
 * The outputs of a run's steps, under stable keys. A mode is straight-line code: a resumed job runs it again,
 * and every committed step returns its stored output instead of repeating. Runs bound to one process have
 * nothing to replay and commit nothing before their end.
 */
export class Journal {
  readonly #committed: ReadonlyMap<string, StoredStep>
  readonly #commit: CommitStep | null
  readonly #underWay = new Set<Promise<unknown>>()
  #ending = false

  constructor(committed: ReadonlyMap<string, StoredStep> = new Map(), commit: CommitStep | null = null) {
    this.#committed = committed
    this.#commit = commit
  }

  /** Whether an earlier slice has committed this step. */
  has(key: string): boolean {
    return this.#committed.has(key)
  }

  /**
   * The committed output of the step, or the result of `work`, committed before this resolves. Outputs are JSON. A step
   * that throws stores nothing.
   *
   * @throws StepUnreadable when it was committed in a shape that this program does not read, SliceEnded when the turn is
   * over and the step would have to start.
   */
  async once<T>(step: JournalStep<T>, key: string, work: () => Promise<T>): Promise<T> {
    const committed = this.#committed.get(key)
    if (committed) return step.read(key, committed)
    if (this.#ending) throw new SliceEnded()
    const running = this.#run(step, key, work)
    this.#underWay.add(running)
    return running.finally(() => this.#underWay.delete(running))
  }

  async #run<T>({ name, version }: JournalStep<T>, key: string, work: () => Promise<T>): Promise<T> {
    const output = await work()
    await this.#commit?.(key, { name, version, output })
    return output
  }

  /** Whether new steps are prevented from starting. */
  get isEnding(): boolean {
    return this.#ending
  }

  /** Prevents new steps from starting. */
  end(): void {
    this.#ending = true
  }

  /** Resolves when no step is running; failed steps count as ended. */
  async settled(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.allSettled([...this.#underWay])
  }
}
