import { setTimeout as pause } from 'node:timers/promises'
import { type NewId, WorkflowRunId } from '@troupe/contract'
import type { Delivery } from '@troupe/durable-work'
import type { FireBatch, HeldSchedule, ScheduleKey, ScheduleStore } from '@troupe/storage'
import { fireAfter } from './fire-times.ts'
import { planFires } from './plan-fires.ts'
import { ReadableSchedules } from './readable-schedules.ts'

const SECOND = 1_000
const DAY = 24 * 60 * 60 * SECOND
/** A smaller backward step is an ordinary clock adjustment. */
const TOLERATED_STEP_MS = 2 * SECOND
/** Schedules per transaction, which blocks run starts in its organizations for some tens of milliseconds. */
const BATCH = 100
/** Runs per transaction: each schedule that catches up may start a hundred. */
const MAX_STARTS = 200
/** Pause between two batches, so that API calls are not starved: at most 4,000 fires a second. */
const PACE_MS = 25
/** Maximum run ids logged per batch. */
const MOST_TOLD = 10
/** Back-off after a schedule failed to fire. */
const RETRY_MS = 60 * SECOND

/** Dependencies of the scheduler. */
export interface SchedulerParts {
  store: ScheduleStore
  /** Passes a run to the engine. Never throws: a failed delivery stays due in the run's row. */
  deliver(delivery: Delivery): Promise<void>
  /** Whether run starts are paused: due times then fire later, by the rules of a late scheduler. */
  isPaused?: () => boolean
  newId: NewId
  /** Milliseconds since the epoch. */
  now: () => number
  log: Record<'info' | 'warn' | 'error', (facts: object, text: string) => void>
}

/**
 * Fires schedules every second. Any number of processes may run a scheduler: the schedule's row lock
 * serializes them, and the ledger holds each planned time once. A fire and its run commit in one transaction
 * before delivery to the engine; after a crash in between, the sweeper finds the run due in its row.
 */
export class Scheduler implements AsyncDisposable {
  readonly #parts: SchedulerParts
  readonly #schedules = new ReadableSchedules()
  /** Schedules that failed to fire, and when their back-off ends. */
  readonly #waitingRetries = new Map<string, { key: ScheduleKey; until: number }>()
  readonly #stopping = new AbortController()
  #working: Promise<void> | null = null
  #lastTurn = 0
  #renewedAt = 0

  constructor(parts: SchedulerParts) {
    this.#parts = parts
  }

  /** Fires schedules until disposed. */
  start(): void {
    this.#working ??= this.#work()
  }

  async #work(): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      await this.turn()
      const rest = SECOND - (this.#parts.now() % SECOND)
      await pause(rest, undefined, { signal, ref: false }).catch(() => {})
    }
  }

  /** Fires everything that is due; `start` calls it every second. Never throws. */
  async turn(): Promise<void> {
    if (this.#parts.isPaused?.()) return
    try {
      await this.#renewWhenDue()
      const { due, waiting } = await this.#parts.store.pending(this.#parts.now())
      if (waiting) await this.#fireAll('waiting')
      if (due) await this.#fireAll('due')
    } catch (err) {
      this.#parts.log.error({ err }, 'schedules could not be fired; the next round retries')
    }
  }

  /**
   * Recomputes next fires at start, daily, and when the clock was set back, because they depend on this
   * Node's zone data and clock. Otherwise a clock that briefly ran ahead would silence schedules for as long
   * as it was ahead.
   */
  async #renewWhenDue(): Promise<void> {
    const now = this.#parts.now()
    const isSetBack = now < this.#lastTurn - TOLERATED_STEP_MS
    if (isSetBack) this.#parts.log.warn({ from: this.#lastTurn, to: now }, 'the clock was set back')
    this.#lastTurn = now
    if (!isSetBack && now - this.#renewedAt < DAY) return
    await this.renew()
    this.#renewedAt = now
  }

  /** Recomputes the next fire of every schedule and stores those that changed. */
  async renew(): Promise<void> {
    const now = this.#parts.now()
    const changed = await this.#parts.store.renew(now, ({ config, nextFireAt, workflowId, nodeId }) => {
      try {
        return fireAfter(this.#schedules.read(config), now)
      } catch (err) {
        this.#parts.log.error({ err, workflowId, nodeId }, 'a schedule cannot be read')
        return nextFireAt
      }
    })
    for (const { from, to, ...key } of changed) {
      this.#parts.log.warn(
        { ...key, from: textOf(from), to: textOf(to) },
        'the next fire of a schedule changed',
      )
    }
  }

  async #fireAll(which: FireBatch['which']): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const fired = await this.#fireBatch(which)
      if (fired === 0) return
      await pause(PACE_MS)
    }
  }

  /** Retries a failed batch one schedule at a time, so that one schedule cannot block the others. */
  async #fireBatch(which: FireBatch['which']): Promise<number> {
    const held: ScheduleKey[] = []
    try {
      return await this.#fire({ which, limit: BATCH }, held)
    } catch (err) {
      if (held.length === 0) throw err
      this.#parts.log.warn(
        { err, schedules: held.length },
        'a batch of schedules failed; each is retried separately',
      )
    }
    for (const key of held) await this.#fireAlone(which, key)
    return held.length
  }

  async #fireAlone(which: FireBatch['which'], only: ScheduleKey): Promise<void> {
    try {
      await this.#fire({ which, limit: 1, only }, [])
    } catch (err) {
      const { workflowId, nodeId } = only
      this.#waitingRetries.set(`${workflowId} ${nodeId}`, { key: only, until: this.#parts.now() + RETRY_MS })
      this.#parts.log.error(
        { err, workflowId, nodeId },
        'a schedule could not be fired; it is retried in a minute',
      )
    }
  }

  /** @param held collects the schedules examined, for the retry when this throws */
  async #fire(batch: Pick<FireBatch, 'which' | 'limit' | 'only'>, held: ScheduleKey[]): Promise<number> {
    const now = this.#parts.now()
    const plan = (schedule: HeldSchedule) => {
      const { organizationId, workflowId, nodeId, config } = schedule
      held.push({ organizationId, workflowId, nodeId })
      return planFires(schedule, this.#schedules.read(config), now, () => this.#parts.newId(WorkflowRunId))
    }
    const fired = await this.#parts.store.fire(
      { ...batch, now, maxStarts: MAX_STARTS, except: this.#setAside(now) },
      plan,
    )
    await Promise.all(fired.deliveries.map((delivery) => this.#parts.deliver(delivery)))
    this.#tell(fired.deliveries)
    return fired.schedules
  }

  #tell(started: readonly Delivery[]): void {
    if (started.length === 0) return
    const executionIds = started.slice(0, MOST_TOLD).map(({ runId }) => runId)
    this.#parts.log.info({ runs: started.length, executionIds }, 'schedules started runs')
  }

  #setAside(now: number): ScheduleKey[] {
    for (const [text, { until }] of this.#waitingRetries) if (until <= now) this.#waitingRetries.delete(text)
    return [...this.#waitingRetries.values()].map(({ key }) => key)
  }

  /** Stops after the current batch. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort()
    await this.#working
  }
}

function textOf(moment: number | null): string | null {
  return moment === null ? null : new Date(moment).toISOString()
}
