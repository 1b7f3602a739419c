import type { AnyRunId } from '@troupe/contract'
import { type AbortReason, RunAborted } from './interruption.ts'
import type { Signal, Signals } from './signals.ts'
import { LEASE_SECONDS, type TurnStore } from './turn-store.ts'
import type { TurnTelemetry } from './turn-telemetry.ts'

const POLL_MS = 1_000
const RENEW_MS = 10_000

/** The cancel signals, one for each table. */
export type CancelSignal = Extract<Signal['kind'], `${string}_cancelled`>

interface ActiveTurn<Id> {
  runId: Id
  controller: AbortController
  settled: Promise<unknown>
  /**
   * Requests that the turn release its row at its next step; null for runs that live only in this process.
   */
  endTurn: (() => void) | null
}

/** Dependencies of the registry of a lane. */
export interface ActiveTurnsOptions<Id extends AnyRunId> {
  store: Pick<TurnStore<Id, unknown>, 'ended' | 'renewLeases'>
  signals: Signals
  telemetry: TurnTelemetry
  workerId: string
  cancelSignal: CancelSignal
}

/**
 * The turns of one lane that run in this process. A cancel from any process arrives as a signal, with a poll
 * of the rows as the fallback, so a lost signal costs one second. Leases are renewed for all turns in one
 * statement; a lease that expires marks its process as dead.
 */
export class ActiveTurns<Id extends AnyRunId> implements AsyncDisposable {
  readonly #turns = new Map<AnyRunId, ActiveTurn<Id>>()
  readonly #store: ActiveTurnsOptions<Id>['store']
  readonly #telemetry: TurnTelemetry
  readonly #workerId: string
  readonly #unsubscribe: () => void
  readonly #timers: NodeJS.Timeout[]
  readonly #background = new Set<Promise<unknown>>()
  #draining = false
  #isGraceOver = false
  #isPolling = false

  constructor({ store, signals, telemetry, workerId, cancelSignal }: ActiveTurnsOptions<Id>) {
    this.#store = store
    this.#telemetry = telemetry
    this.#workerId = workerId
    this.#unsubscribe = signals.subscribe((signal) => {
      if (signal.kind === cancelSignal) this.abort(signal.runId, 'cancel')
    })
    this.#timers = [
      setInterval(() => this.#poll(), POLL_MS).unref(),
      setInterval(() => this.renew(), RENEW_MS).unref(),
    ]
  }

  /** True once no new turn may start here. */
  get draining(): boolean {
    return this.#draining
  }

  /** True once even a turn with a waiting caller is aborted as soon as it starts. */
  get closed(): boolean {
    return this.#isGraceOver
  }

  get size(): number {
    return this.#turns.size
  }

  /** The rows being worked on, oldest turn first. */
  runIds(): Id[] {
    return [...this.#turns.values()].map(({ runId }) => runId)
  }

  /**
   * Registers a turn until `settled` resolves; `settled` must not reject. An earlier turn of the same row
   * still running here was stalled for longer than its lease: it has lost the row and is aborted.
   */
  add(
    runId: Id,
    controller: AbortController,
    settled: Promise<unknown>,
    endTurn: (() => void) | null = null,
  ): void {
    const turn = { runId, controller, settled, endTurn }
    this.abort(runId, 'lost')
    this.#turns.set(runId, turn)
    // The row's next turn may have been registered here before this one is removed.
    void settled.then(() => this.#turns.get(runId) === turn && this.#turns.delete(runId))
    // A drain that started after the turn's claim has not seen the turn.
    if (this.#draining) endTurn?.()
    if (this.#isGraceOver) this.abort(runId, 'shutdown')
  }

  /**
   * Tracks work that outlives its turn until it settles, so that a drain waits for it; the promise must not
   * reject.
   */
  background(work: Promise<unknown>): void {
    this.#background.add(work)
    void work.then(() => this.#background.delete(work))
  }

  /** Aborts a turn of this process and ignores any other. The first reason is kept. */
  abort(runId: AnyRunId, reason: AbortReason): void {
    this.#turns.get(runId)?.controller.abort(new RunAborted(reason))
  }

  /**
   * Starts no further turn, asks running turns to release their rows, waits up to `graceMs`, then aborts the rest and
   * waits until their rows are settled.
   */
  async drain(graceMs: number): Promise<void> {
    this.#draining = true
    for (const { endTurn } of this.#turns.values()) endTurn?.()
    let timer: NodeJS.Timeout | undefined
    const patience = new Promise((resolve) => {
      timer = setTimeout(resolve, graceMs)
    })
    await Promise.race([this.#idle(), patience])
    clearTimeout(timer)
    this.#isGraceOver = true
    for (const runId of this.#turns.keys()) this.abort(runId, 'shutdown')
    while (this.#turns.size > 0) await this.#turnsSettled()
  }

  #turnsSettled(): Promise<unknown> {
    return Promise.all([...this.#turns.values()].map(({ settled }) => settled))
  }

  /** Resolves when no turn is left, including turns added in the meantime, and then the background work is done. */
  async #idle(): Promise<void> {
    while (this.#turns.size > 0) await this.#turnsSettled()
    await Promise.all(this.#background)
  }

  /** One poll at a time: a slow database must not be asked again every second. */
  async #poll(): Promise<void> {
    if (this.#turns.size === 0 || this.#isPolling) return
    this.#isPolling = true
    // The answer is about these turns, not about a later turn of the same row that has started here in the meantime.
    const polled = new Map(this.#turns)
    try {
      const ended = await this.#store.ended(this.#workerId, this.runIds())
      for (const { runId, reason } of ended) polled.get(runId)?.controller.abort(new RunAborted(reason))
    } catch (error) {
      this.#telemetry.backgroundFailed('cancel poll', error)
    } finally {
      this.#isPolling = false
    }
  }

  /** Renews the leases of the turns running here. Never throws. */
  async renew(): Promise<void> {
    if (this.#turns.size === 0) return
    try {
      await this.#store.renewLeases(this.#workerId, this.runIds(), LEASE_SECONDS)
    } catch (error) {
      this.#telemetry.backgroundFailed('lease renewal', error)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer)
    this.#unsubscribe()
    await this.drain(0)
  }
}
