import type { Activation, RunState } from '@troupe/graph'
import type { NodeRuntime } from './dependencies.ts'
import { type EffectEnd, NO_TRACE, runEffect } from './run-effect.ts'
import type { RunIdentity } from './run-identity.ts'

/** The outcome of a started effect. */
export interface EndedEffect {
  place: Activation
  end: EffectEnd
}

/** The started effects of a run, and their answers since the last read. */
export class EffectsUnderWay {
  readonly #deps: NodeRuntime
  readonly #run: RunIdentity
  readonly #signal: AbortSignal
  readonly #answers: EndedEffect[] = []
  #wake: () => void = () => {}
  #count = 0
  #started = 0

  /** @param signal aborts every effect */
  constructor(deps: NodeRuntime, run: RunIdentity, signal: AbortSignal) {
    this.#deps = deps
    this.#run = run
    this.#signal = signal
  }

  /** Effects whose answers have not been taken. */
  get count(): number {
    return this.#count
  }

  /** Every effect started so far. */
  get started(): number {
    return this.#started
  }

  /** @param retry failed attempts in earlier turns */
  start(state: RunState, place: Activation, retry: number): void {
    const handler = this.#deps.handlers.get(state.graph.nodes.get(place.nodeId)?.type ?? '')
    this.#count += 1
    this.#started += 1
    const signal = AbortSignal.any([this.#signal])
    const ended =
      handler?.kind === 'effect'
        ? runEffect({ deps: this.#deps, run: this.#run, state, place, handler, retry, signal })
        : Promise.resolve<EffectEnd>({
            kind: 'failed',
            message: 'its type is not known to this version',
            trace: NO_TRACE,
          })
    void ended.then((end) => {
      this.#answers.push({ place, end })
      this.#wake()
    })
  }

  takeAnswers(): EndedEffect[] {
    const answers = this.#answers.splice(0)
    this.#count -= answers.length
    return answers
  }

  /** Ends a pending {@link EffectsUnderWay.answered}. */
  wake(): void {
    this.#wake()
  }

  /**
   * Waits for an answer, for `wake`, or until `at` (milliseconds since the epoch; null: no limit); returns
   * immediately when `isDue` says that there is work.
   */
  async answered(at: number | null, isDue: () => boolean = () => false): Promise<void> {
    if (this.#answers.length > 0 || isDue()) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#wake = resolve
    // Rounded up, so that the timer never fires before `at`.
    const waitMs = at === null ? null : Math.max(0, Math.ceil(at - this.#deps.now()))
    const timer = waitMs === null ? undefined : setTimeout(resolve, waitMs)
    await promise
    clearTimeout(timer)
    this.#wake = () => {}
  }

  /** The answers of running effects that arrive within `patienceMs`. */
  async lastAnswers(patienceMs: number): Promise<EndedEffect[]> {
    const giveUpAt = this.#deps.now() + patienceMs
    const answers = this.takeAnswers()
    while (this.#count > 0 && this.#deps.now() < giveUpAt) {
      await this.answered(giveUpAt)
      answers.push(...this.takeAnswers())
    }
    return answers
  }
}
