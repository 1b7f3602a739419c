import { setTimeout as pause } from 'node:timers/promises'
import type { AnyId } from '@troupe/contract'
import type { FireBatch, HeldSchedule, ScheduleKey, ScheduleStore } from '@troupe/database'
import type { Delivery } from '@troupe/turns'
import { fireAfter } from './fire-times.ts'
import { planFires } from './plan-fires.ts'
import { ReadableSchedules } from './readable-schedules.ts'

const SECOND = 1_000
const DAY = 24 * 60 * 60 * SECOND
/** A clock that is set back by less than this is one that is being adjusted. */
const TOLERATED_STEP_MS = 2 * SECOND
/** Schedules per transaction: it holds its organizations' starts back while it lasts, some tens of milliseconds. */
const BATCH = 100
/** Runs per transaction: of schedules that catch up, each may start a hundred. */
const MAX_STARTS = 200
/** Between two batches, so that whoever calls meanwhile comes to his turn: at most 4,000 fires a second. */
const PACE_MS = 25
/** Runs of a batch that the log names. */
const MOST_TOLD = 10
/** How long a schedule that cannot be fired is left alone. */
const RETRY_MS = 60 * SECOND

/** What the scheduler uses. */
export interface SchedulerParts {
  store: ScheduleStore
  /** Hands a run to the engine. Never throws: what fails stays due in the row. */
  deliver(delivery: Delivery): Promise<void>
  newId: () => AnyId
  /** Milliseconds since the epoch. */
  now: () => number
  log: Record<'info' | 'warn' | 'error', (facts: object, text: string) => void>
}

/**
 * Fires schedules, every second. Any number of processes may do so: whoever holds the row of a schedule decides, and the
 * ledger has each planned time once. A fire and its run are one transaction; the engine gets the run behind it, and what a
 * crash leaves between the two is due in the row of the run, where the sweep finds it.
 */
export class Scheduler implements AsyncDisposable {
  readonly #parts: SchedulerParts
  readonly #schedules = new ReadableSchedules()
  /** Schedules that could not be fired, and until when they are left alone. */
  readonly #waitingRetries = new Map<string, { key: ScheduleKey; until: number }>()
  readonly #stopping = new AbortController()
  #working: Promise<void> | null = null
  #lastTurn = 0
  #renewedAt = 0

  constructor(parts: SchedulerParts) {
    this.#parts = parts
  }

  /** Fires until disposed. */
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

  /** One turn, which otherwise comes every second: everything that is due. Never throws. */
  async turn(): Promise<void> {
    try {
      await this.#renewWhenDue()
      const { due, waiting } = await this.#parts.store.pending(this.#parts.now())
      if (waiting) await this.#fireAll('waiting')
      if (due) await this.#fireAll('due')
    } catch (err) {
      this.#parts.log.error({ err }, 'schedules could not be fired; the next turn tries again')
    }
  }

  /**
   * Next fires follow from the zone data of this Node and from the clock: looked at when the process starts, daily, and
   * when the clock was set back. Else a clock that was wrong for a moment would silence schedules for as long as it was
   * ahead.
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

  /** Stores the next fire of every schedule anew where it is another one by now. */
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

  /** A batch that fails is done again one by one, so that one schedule does not stop the others. */
  async #fireBatch(which: FireBatch['which']): Promise<number> {
    const held: ScheduleKey[] = []
    try {
      return await this.#fire({ which, limit: BATCH }, held)
    } catch (err) {
      if (held.length === 0) throw err
      this.#parts.log.warn(
        { err, schedules: held.length },
        'a batch of schedules failed; each is tried alone',
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
        'a schedule could not be fired; it is tried again in a minute',
      )
    }
  }

  /** @param held gets the schedules that were looked at, for when this throws */
  async #fire(batch: Pick<FireBatch, 'which' | 'limit' | 'only'>, held: ScheduleKey[]): Promise<number> {
    const now = this.#parts.now()
    const plan = (schedule: HeldSchedule) => {
      const { organizationId, workflowId, nodeId, config } = schedule
      held.push({ organizationId, workflowId, nodeId })
      return planFires(schedule, this.#schedules.read(config), now, this.#parts.newId)
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

  /** Stops after what is under way. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort()
    await this.#working
  }
}

function textOf(moment: number | null): string | null {
  return moment === null ? null : new Date(moment).toISOString()
}
