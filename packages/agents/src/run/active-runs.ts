import type { RunId } from '@troupe/contract'
import type { AbortReason, RunStore } from '../ports/run-store.ts'
import type { RunTelemetry } from '../ports/run-telemetry.ts'
import type { Signals } from '../ports/signals.ts'
import { RunAborted } from './interruption.ts'

const POLL_MS = 1_000
const RENEW_MS = 10_000
/** Seconds until a run counts as lost when its process stops renewing. */
export const LEASE_SECONDS = 30

interface ActiveRun {
  controller: AbortController
  settled: Promise<unknown>
  /** Asks a job to end its turn at its next step; null for other runs, which are waited for. */
  endTurn: (() => void) | null
}

/**
 * The runs that this process executes. A cancel from any process arrives as a signal; a poll of the rows backs it up, so
 * a lost signal costs a second. Leases are renewed for all runs in one statement, so that a dead process's runs are
 * recognised by every other.
 */
export class ActiveRuns implements AsyncDisposable {
  readonly #runs = new Map<RunId, ActiveRun>()
  readonly #store: Pick<RunStore, 'ended' | 'renewLeases'>
  readonly #telemetry: RunTelemetry
  readonly #workerId: string
  readonly #unsubscribe: () => void
  readonly #timers: NodeJS.Timeout[]
  readonly #background = new Set<Promise<unknown>>()
  #draining = false

  constructor(options: {
    store: Pick<RunStore, 'ended' | 'renewLeases'>
    signals: Signals
    telemetry: RunTelemetry
    workerId: string
    /** The signal that tells of a cancel; that of agents' and teams' runs unless given. */
    cancelSignal?: 'run_cancelled' | 'workflow_run_cancelled'
  }) {
    this.#store = options.store
    this.#telemetry = options.telemetry
    this.#workerId = options.workerId
    const cancelSignal = options.cancelSignal ?? 'run_cancelled'
    this.#unsubscribe = options.signals.subscribe((signal) => {
      if (signal.kind === cancelSignal) this.abort(signal.runId as RunId, 'cancel')
    })
    this.#timers = [
      setInterval(() => this.#poll(), POLL_MS).unref(),
      setInterval(() => this.renew(), RENEW_MS).unref(),
    ]
  }

  /** True once no new run may start here. */
  get draining(): boolean {
    return this.#draining
  }

  get size(): number {
    return this.#runs.size
  }

  /** The runs under way, oldest first. */
  runIds(): RunId[] {
    return [...this.#runs.keys()]
  }

  /**
   * Registers a run until `settled` resolves; it must not reject. An earlier turn of the same run that is still at work
   * here has lost it, and is told so: it stood still for longer than its lease.
   */
  add(
    runId: RunId,
    controller: AbortController,
    settled: Promise<unknown>,
    endTurn: (() => void) | null = null,
  ): void {
    const run = { controller, settled, endTurn }
    this.abort(runId, 'lost')
    this.#runs.set(runId, run)
    // The next turn of a job may have begun here before this one was forgotten.
    void settled.then(() => this.#runs.get(runId) === run && this.#runs.delete(runId))
  }

  /** Keeps work that outlives its run until it settles, so that a drain waits for it; it must not reject. */
  background(work: Promise<unknown>): void {
    this.#background.add(work)
    void work.then(() => this.#background.delete(work))
  }

  /** Aborts a run of this process; nothing happens for any other. The first reason stays. */
  abort(runId: RunId, reason: AbortReason): void {
    this.#runs.get(runId)?.controller.abort(new RunAborted(reason))
  }

  /** Lets no run start, asks jobs to end their turn, waits up to `graceMs` for the ones under way, then aborts the rest and waits for their rows. */
  async drain(graceMs: number): Promise<void> {
    this.#draining = true
    for (const { endTurn } of this.#runs.values()) endTurn?.()
    const runs = () => Promise.all([...this.#runs.values()].map((run) => run.settled))
    let timer: NodeJS.Timeout | undefined
    const patience = new Promise((resolve) => {
      timer = setTimeout(resolve, graceMs)
    })
    await Promise.race([Promise.all([runs(), ...this.#background]), patience])
    clearTimeout(timer)
    for (const runId of this.#runs.keys()) this.abort(runId, 'shutdown')
    await runs()
  }

  async #poll(): Promise<void> {
    if (this.#runs.size === 0) return
    try {
      const ended = await this.#store.ended(this.#workerId, [...this.#runs.keys()])
      for (const { runId, reason } of ended) this.abort(runId, reason)
    } catch (error) {
      this.#telemetry.backgroundFailed('cancel poll', error)
    }
  }

  /** Renews the leases of the runs under way here. Never throws. */
  async renew(): Promise<void> {
    if (this.#runs.size === 0) return
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
