import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import type { Clock, ModelRetry } from '@troupe/agents/ports'
import type { WireProtocol } from '../provider/provider.ts'
import { RepeatedCalls } from '../streams/repeated-calls.ts'
import { sleep } from '../time/sleep.ts'
import { askForStream } from '../wire/ask.ts'
import { addNote, WireCall } from '../wire/wire-call.ts'
import { type AnswerEnd, answerEnd } from './answer-end.ts'
import { AnswerSize, AnswerTooLarge } from './answer-size.ts'
import {
  type AttemptFailure,
  answerTooLarge,
  cutAnswer,
  emptyResponse,
  modelRefused,
} from './attempt-failure.ts'
import { AttemptTimers } from './attempt-timers.ts'
import { failureOfError } from './failure-of-error.ts'
import { isContent } from './stream-content.ts'
import { type TokenCounts, UsageMeter } from './usage-meter.ts'

type Part = LanguageModelV4StreamPart
type Finish = Extract<Part, { type: 'finish' }>
type Reader = ReadableStreamDefaultReader<Part>

/** Characters of a tool's name in a note. */
const MAX_NAME = 64

/** Milliseconds to wait, after a provider's error, for the usage of the failed call. */
const LATE_USAGE_MS = 50

/** Thrown by {@link Attempt} when there was no answer, or the answer broke off. */
export class AttemptFailed {
  readonly failure: AttemptFailure

  constructor(failure: AttemptFailure) {
    this.failure = failure
  }
}

/** Thrown by {@link Attempt} when the caller aborted; `reason` is the signal's, unchanged. */
export class AttemptAborted {
  readonly reason: unknown

  constructor(reason: unknown) {
    this.reason = reason
  }
}

/**
 * One call of one model. An early end (abort, timer, consumer cancel) aborts the provider's request and rejects the
 * pending read in the same tick, even when the provider ignores its signal; later output of the provider is dropped.
 */
export class Attempt {
  /** Milliseconds from the start to the first content part; null if there was none. */
  ttftMs: number | null = null
  readonly #clock: Clock
  readonly #protocol: WireProtocol | null
  readonly #signal: AbortSignal | undefined
  readonly #usage = new UsageMeter()
  readonly #wire = new WireCall()
  readonly #calls = new RepeatedCalls((toolName) => {
    addNote(
      this.#wire,
      `The provider sent a call of ${toolName.slice(0, MAX_NAME)} again under the same id; it counts once.`,
    )
  })
  #isWhole = false
  readonly #request = new AbortController()
  readonly #size = new AnswerSize()
  readonly #timers: AttemptTimers
  readonly #onAbort = () => this.#interrupt(new AttemptAborted(this.#signal?.reason))
  #interruption: AttemptAborted | AttemptFailed | null = null
  #rejectPending: ((interruption: unknown) => void) | null = null
  #reader: Reader | null = null

  /** @param protocol of the model; null for the sandbox */
  constructor(
    clock: Clock,
    retry: ModelRetry,
    protocol: WireProtocol | null,
    signal: AbortSignal | undefined,
  ) {
    this.#clock = clock
    this.#protocol = protocol
    this.#signal = signal
    this.#timers = new AttemptTimers(clock, retry, (expired) => this.#interrupt(new AttemptFailed(expired)))
    signal?.addEventListener('abort', this.#onAbort, { once: true })
  }

  /** Milliseconds since the start. */
  get elapsedMs(): number {
    return this.#timers.elapsed()
  }

  /** The tokens that the provider has reported so far. */
  get tokens(): TokenCounts {
    return this.#usage.counts(this.#isWhole)
  }

  /** Anomalies of the answer; '' if none. */
  get note(): string {
    return this.#wire.note
  }

  /**
   * Calls the model and returns its parts up to and including the first content, or up to `finish` if the answer may be
   * empty. Throws {@link AttemptFailed} or {@link AttemptAborted}.
   */
  async open(
    model: LanguageModelV4,
    options: LanguageModelV4CallOptions,
    mayBeEmpty = false,
  ): Promise<Part[]> {
    try {
      if (this.#signal?.aborted) throw new AttemptAborted(this.#signal.reason)
      this.#reader = await this.#pending(this.#stream(model, options))
      const held: Part[] = []
      for (;;) {
        const { done, value } = await this.#pending(this.#reader.read())
        if (done) throw new AttemptFailed(cutAnswer(undefined))
        if (value.type === 'error') throw value.error
        if (value.type === 'finish') return [...held, this.#finishedEmpty(value, mayBeEmpty)]
        const part = this.#counted(value)
        if (part === null) continue
        held.push(part)
        if (!isContent(part)) continue
        this.ttftMs = this.#timers.elapsed()
        this.#timers.commit()
        return held
      }
    } catch (error) {
      throw await this.#fail(error)
    }
  }

  /** The next part after {@link open}; the last is `finish`. Throws as `open` does; an answer that breaks off is a failure. */
  async next(): Promise<Part> {
    try {
      for (;;) {
        this.#timers.waiting()
        const { done, value } = await this.#pending(this.#opened().read())
        this.#timers.received()
        if (done) throw new AttemptFailed(cutAnswer(undefined))
        if (value.type === 'error') throw value.error
        if (value.type === 'finish') return this.#finish(value)
        const part = this.#counted(value)
        if (part !== null) return part
      }
    } catch (error) {
      throw await this.#fail(error)
    }
  }

  /** A part, counted in tokens and size; null for a repeated call. */
  #counted(part: Part): Part | null {
    this.#usage.add(part)
    this.#size.add(part)
    return this.#calls.read(part)
  }

  /** Ends the attempt because its answer is no longer needed. */
  cancel(reason: unknown): void {
    this.#interrupt(new AttemptAborted(reason))
    this.#release()
  }

  async #stream(model: LanguageModelV4, options: LanguageModelV4CallOptions): Promise<Reader> {
    const stream = await askForStream(model, { ...options, abortSignal: this.#request.signal }, this.#wire)
    if (this.#interruption) void stream.cancel().catch(() => {})
    return stream.getReader()
  }

  #pending<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#interruption) reject(this.#interruption)
      this.#rejectPending = reject
      work.then(resolve, reject)
    })
  }

  #interrupt(interruption: AttemptAborted | AttemptFailed): void {
    if (this.#interruption) return
    this.#interruption = interruption
    this.#rejectPending?.(interruption)
    this.#request.abort(interruption instanceof AttemptAborted ? interruption.reason : undefined)
  }

  /** @throws AttemptFailed unless the answer may be empty and the model ended it normally */
  #finishedEmpty(part: Finish, mayBeEmpty: boolean): Finish {
    const end = this.#endOfAnswer(part)
    if (mayBeEmpty && end === 'stop') return this.#finish(part)
    const { raw } = part.finishReason
    throw new AttemptFailed(end === 'content-filter' ? modelRefused(raw) : emptyResponse(end))
  }

  #finish(part: Finish): Finish {
    const unified = this.#endOfAnswer(part)
    this.#signal?.removeEventListener('abort', this.#onAbort)
    // The body must be read to its end, else the connection is not reused. The timers also cover this last read.
    const release = () => this.#release()
    this.#opened().read().then(release, release)
    return { ...part, finishReason: { ...part.finishReason, unified } }
  }

  /** @throws AttemptFailed if the provider ended the answer early */
  #endOfAnswer(part: Finish): AnswerEnd {
    this.#usage.add(part)
    const end = answerEnd(this.#protocol, part.finishReason)
    if (end === null) throw new AttemptFailed(cutAnswer(part.finishReason.raw))
    this.#isWhole = true
    return end
  }

  /** The error of the attempt; an abort or expired timer takes precedence over the provider error that it caused. */
  async #fail(error: unknown): Promise<AttemptFailed | AttemptAborted> {
    if (!this.#interruption && !(error instanceof AttemptFailed) && this.#reader && !this.#usage.isFinal) {
      await this.#readLateUsage(this.#reader)
    }
    const ended = this.#interruption ?? this.#endOf(error)
    this.#interruption ??= ended
    this.#request.abort()
    this.#release()
    return ended
  }

  #endOf(error: unknown): AttemptFailed | AttemptAborted {
    if (error instanceof AttemptFailed || error instanceof AttemptAborted) return error
    if (error instanceof AnswerTooLarge) return new AttemptFailed(answerTooLarge(error.message))
    return new AttemptFailed(failureOfError(error, this.#clock.now()))
  }

  #opened(): Reader {
    if (!this.#reader) throw new Error('the attempt has no stream yet')
    return this.#reader
  }

  /** Some providers still send `finish` with the token usage after an `error` part. */
  async #readLateUsage(reader: Reader): Promise<void> {
    const rest = async () => {
      for (;;) {
        const { done, value: part } = await reader.read()
        if (done) return
        if (part.type === 'finish') this.#usage.add(part)
      }
    }
    const limit = new AbortController()
    await Promise.race([rest(), sleep(this.#clock, LATE_USAGE_MS, limit.signal)]).catch(() => {})
    limit.abort()
  }

  #release(): void {
    this.#timers.stop()
    this.#signal?.removeEventListener('abort', this.#onAbort)
    void this.#reader?.cancel().catch(() => {})
  }
}
