import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { type FailoverClass, type ModelReference, type ModelTarget, TROUPE } from '@troupe/agents/ports'
import { propertyOf } from '@troupe/contract'
import { protocolOf } from '../registry/protocol-of.ts'
import { ThoughtFilter } from '../streams/thought-filter.ts'
import { sleep } from '../time/sleep.ts'
import { Attempt, AttemptAborted, AttemptFailed } from './attempt.ts'
import { type AttemptFailure, failureOfModel } from './attempt-failure.ts'
import { AttemptLog } from './attempt-log.ts'
import { callOptionsFor } from './call-options.ts'
import type { ChainEnvironment } from './chain-environment.ts'
import { classifyError } from './classify-error.ts'
import { hasOwnState } from './prompt-for-target.ts'
import { answerBroke, callFailed, noTimeLeft } from './public-errors.ts'
import { isRefusedState } from './refused-state.ts'
import { originOf } from './state-origin.ts'

type Finish = Extract<LanguageModelV4StreamPart, { type: 'finish' }>

const MIN_TIME_LEFT_MS = 2000
const LONGEST_RETRY_AFTER_MS = 2000
const JITTER_MIN_MS = 250
const JITTER_MAX_MS = 1000

interface Serving {
  index: number
  number: number
  attempt: Attempt
  probe: boolean
  /** null: reasoning stays in the text. */
  thoughts: ThoughtFilter | null
}

/** Position in the chain: the next target, the target it takes over from, and the reason. */
interface Walk {
  index: number
  /** Null until a target failed. */
  failure: AttemptFailure | null
  failedIndex: number
}

/** The target to call now; `reason` is null for the primary at the start of a call. */
interface Step {
  index: number
  reason: FailoverClass | null
}

/** One `doStream` over the chain: from the first attempt until its answer has ended. */
export class ChainCall {
  readonly #environment: ChainEnvironment
  readonly #options: LanguageModelV4CallOptions
  readonly #signal: AbortSignal | undefined
  readonly #log: AttemptLog
  /** Tools have acted, so the model may end without text: another attempt would not know of their effects. */
  readonly #mayBeEmpty: boolean
  #serving: Serving | null = null

  constructor(environment: ChainEnvironment, options: LanguageModelV4CallOptions) {
    this.#environment = environment
    this.#options = options
    this.#signal = options.abortSignal
    this.#log = new AttemptLog(environment.observer)
    this.#mayBeEmpty = propertyOf(options.prompt.at(-1)?.providerOptions?.[TROUPE], 'acted') === true
  }

  /** The parts up to the first content of any model. Throws {@link ChatModelError} or the abort reason. */
  open(): Promise<LanguageModelV4StreamPart[]> {
    return this.#walk({ index: 0, failure: null, failedIndex: 0 })
  }

  /** Whether `finish` has been returned. */
  get ended(): boolean {
    return this.#serving === null
  }

  /** The next parts after {@link open}, mostly one; the last is `finish`. Throws as `open` does. */
  async next(): Promise<LanguageModelV4StreamPart[]> {
    const serving = this.#serving
    if (!serving) throw new Error('next() was called before open()')
    for (;;) {
      let part: LanguageModelV4StreamPart
      try {
        part = await serving.attempt.next()
      } catch (ended) {
        this.#serving = null
        return this.#restart(serving, this.#settle(serving, ended))
      }
      const parts = this.#filtered(part, serving)
      if (parts.length > 0) return parts
    }
  }

  #filtered(part: LanguageModelV4StreamPart, serving: Serving): LanguageModelV4StreamPart[] {
    const { thoughts } = serving
    if (part.type === 'finish') {
      const rest = thoughts?.end() ?? []
      // JSON and forced calls are often written without reasoning by models that otherwise reason.
      if (thoughts?.hasPlainAnswer && this.#options.responseFormat?.type !== 'json') {
        this.#environment.thoughtHabits.answeredPlainly(this.#target(serving.index))
      }
      return [...rest, this.#end(part, serving)]
    }
    return thoughts?.add(part) ?? [part]
  }

  /** Whether people read the answer unchanged. */
  get #isForPeople(): boolean {
    const { responseFormat, toolChoice } = this.#options
    const { isPlainAnswer = false } = this.#environment
    const isForced = toolChoice?.type === 'tool' || toolChoice?.type === 'required'
    return isPlainAnswer && responseFormat?.type !== 'json' && !isForced
  }

  /** Removes reasoning from the text, unless the answer is for people and its configuration keeps it. */
  #thoughtFilter(target: ModelTarget): ThoughtFilter | null {
    const { thoughtHabits, observer } = this.#environment
    const setting = target.connection.settings.thoughts
    if (this.#isForPeople && setting === 'keep') return null
    const unmarked = thoughtHabits.unmarkedText(target, this.#isForPeople && setting !== 'remove')
    const events = {
      onUnopened(isVoid: boolean) {
        thoughtHabits.omittedOpening(target)
        if (isVoid) observer.onReset()
      },
    }
    return new ThoughtFilter(unmarked, events, this.#options.responseFormat?.type === 'json')
  }

  /** Ends the call, and names the provider of the answer: only that provider gets its state back. */
  #end(finish: Finish, serving: Serving): Finish {
    const target = this.#target(serving.index)
    this.#serving = null
    this.#environment.circuits.succeeded(target.connection)
    this.#report(serving, null)
    const origin = originOf(target)
    return { ...finish, providerMetadata: { ...finish.providerMetadata, [TROUPE]: { origin } } }
  }

  /** Aborts the provider's request because the consumer cancelled. */
  cancel(reason: unknown): void {
    if (this.#serving === null) return
    this.#serving.attempt.cancel(reason)
    this.#settleUndecided(this.#serving)
    this.#serving = null
  }

  /** After a broken answer: the next model starts over, or the call fails. */
  async #restart(broken: Serving, failure: AttemptFailure): Promise<LanguageModelV4StreamPart[]> {
    // An oversized answer is not retried: another model would only add to the cost.
    if (failure.errorCode === 'answer_too_large') throw callFailed(failure, this.#log.toString())
    const walk = { index: broken.index + 1, failure, failedIndex: broken.index }
    const next = this.#environment.chain.midStream === 'restart' ? this.#nextStep(walk, false) : null
    if (next === null || !this.#hasTime(0)) throw answerBroke(failure, this.#log.toString())
    this.#environment.observer.onReset()
    return this.#walk(walk)
  }

  async #walk(walk: Walk): Promise<LanguageModelV4StreamPart[]> {
    // Skipping open circuits must leave at least one target.
    const respectCircuits = this.#nextStep(walk, true) !== null
    for (;;) {
      const step = this.#nextStep(walk, respectCircuits)
      if (step === null) throw this.#gaveUp(walk.failure)
      const outcome = await this.#ask(step, walk)
      if (Array.isArray(outcome)) return outcome
      if (outcome.kind === 'fatal') throw callFailed(outcome, this.#log.toString())
      walk.index = step.index + 1
      walk.failure = outcome
      walk.failedIndex = step.index
    }
  }

  /** Calls one target up to `attemptsPerModel` times; returns its first parts or its last failure. */
  async #ask(step: Step, walk: Walk): Promise<LanguageModelV4StreamPart[] | AttemptFailure> {
    const { clock, circuits, chain, refusals, stateless } = this.#environment
    const target = this.#target(step.index)
    const model = await this.#load(target)
    if (!('doStream' in model)) return model
    let withState = !stateless.has(target) && hasOwnState(target, this.#options.prompt)
    let wanted = callOptionsFor(target, this.#options, withState)
    // An attempt that only drops a refused parameter does not count against the attempts at a failing provider.
    let allowed = chain.retry.attemptsPerModel
    for (let number = 1; ; number++) {
      const options = refusals.applyTo(wanted, target)
      this.#signal?.throwIfAborted()
      if (!this.#hasTime(0)) throw this.#gaveUp(walk.failure)
      const probe = circuits.enter(target.connection)
      const attempt = new Attempt(clock, chain.retry, protocolOf(target.connection), this.#signal)
      // Only that of this attempt: text held back by another one is void.
      const thoughts = this.#thoughtFilter(target)
      const serving: Serving = { index: step.index, number, attempt, probe, thoughts }
      try {
        const parts = await attempt.open(model, options, this.#mayBeEmpty)
        if (step.index > 0) this.#announce(step, walk)
        this.#serving = serving
        return parts.flatMap((part) => this.#filtered(part, serving))
      } catch (ended) {
        const failure = this.#settle(serving, ended)
        walk.failure = failure
        if (withState && isRefusedState(failure) && this.#hasTime(0)) {
          stateless.learn(target, failure)
          withState = false
          wanted = callOptionsFor(target, this.#options, withState)
          allowed += 1
          continue
        }
        if (refusals.learn(target, failure.parameter, options) && this.#hasTime(0)) {
          allowed += 1
          continue
        }
        const pause = this.#pauseBefore(failure)
        const again = failure.kind === 'retry' && number < allowed && !probe
        if (!again || pause === null || !this.#hasTime(pause)) return failure
        await sleep(clock, pause, this.#signal)
      }
    }
  }

  /** The model, or the reason for which the provider refuses its connection. Not part of the attempt, so package loading is untimed. */
  async #load(target: ModelTarget): Promise<LanguageModelV4 | AttemptFailure> {
    try {
      return await this.#environment.model(target)
    } catch (error) {
      const failure = failureOfModel(classifyError(error, this.#environment.clock.now()), target)
      this.#log.note(target, `could not be set up: ${failure.internalMessage}`)
      return failure
    }
  }

  /** The next target that may take over, starting at `walk.index`; null if there is none. */
  #nextStep(walk: Walk, respectCircuits: boolean): Step | null {
    const { chain, circuits } = this.#environment
    let reason = walk.failure?.class ?? null
    for (let index = walk.index; index < chain.targets.length; index++) {
      const target = this.#target(index)
      if (reason !== null && !this.#takesOver(target, reason, walk)) continue
      const skipped = respectCircuits ? circuits.skips(target.connection) : null
      if (skipped === null) return { index, reason }
      reason ??= skipped
    }
    return null
  }

  #takesOver(target: ModelTarget, reason: FailoverClass, walk: Walk): boolean {
    if (!target.on.includes(reason)) return false
    if (reason !== 'context_overflow') return true
    const failed = this.#target(walk.failedIndex).contextLength
    return failed !== null && target.contextLength !== null && target.contextLength > failed
  }

  /** Delay in ms before the same model is retried; null if the provider requests more than the limit. */
  #pauseBefore(failure: AttemptFailure): number | null {
    if (failure.retryAfterMs === null) {
      return JITTER_MIN_MS + this.#environment.random() * (JITTER_MAX_MS - JITTER_MIN_MS)
    }
    return failure.retryAfterMs <= LONGEST_RETRY_AFTER_MS ? failure.retryAfterMs : null
  }

  #hasTime(pauseMs: number): boolean {
    return this.#environment.deadlineAt - this.#environment.clock.now() - pauseMs >= MIN_TIME_LEFT_MS
  }

  #announce(step: Step, walk: Walk): void {
    this.#environment.observer.onFailover({
      from: this.#reference(walk.failedIndex),
      to: this.#reference(step.index),
      reason: step.reason ?? 'error',
    })
  }

  /** Reports an attempt that ended early and returns its failure; rethrows the abort reason. */
  #settle(serving: Serving, ended: unknown): AttemptFailure {
    const target = this.#target(serving.index)
    const { connection } = target
    if (ended instanceof AttemptAborted) {
      this.#settleUndecided(serving)
      throw ended.reason
    }
    if (!(ended instanceof AttemptFailed)) throw ended
    const failure = failureOfModel(ended.failure, target)
    if (failure.blamesConfiguration) {
      this.#environment.circuits.failed(connection, failure.class, serving.probe)
    } else {
      this.#environment.circuits.undecided(connection, serving.probe)
    }
    this.#report(serving, failure)
    return failure
  }

  #settleUndecided(serving: Serving): void {
    this.#environment.circuits.undecided(this.#target(serving.index).connection, serving.probe)
    this.#report(serving, 'aborted')
  }

  #report({ index, number, attempt }: Serving, failure: AttemptFailure | 'aborted' | null): void {
    this.#log.report(this.#target(index), number, index > 0, attempt, failure)
  }

  #gaveUp(failure: AttemptFailure | null): Error {
    return failure ? callFailed(failure, this.#log.toString()) : noTimeLeft(this.#log.toString())
  }

  #target(index: number): ModelTarget {
    const target = this.#environment.chain.targets[index]
    if (!target) throw new RangeError(`the chain has no model ${index}`)
    return target
  }

  #reference(index: number): ModelReference {
    const target = this.#target(index)
    return { llmConfigId: target.connection.llmConfigId, modelId: target.modelId }
  }
}
