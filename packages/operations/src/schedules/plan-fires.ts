import type { WorkflowRunId } from '@troupe/contract'
import type { Schedule } from '@troupe/graph'
import type { FirePlan, HeldSchedule, PlannedFire } from '@troupe/storage'
import { fireAfter, passedTimes } from './fire-times.ts'

const MINUTE = 60_000
/** A start within this delay counts as on time, because fires due in the same second are paced. */
const PUNCTUAL_MS = MINUTE
/** Catch-up window: older times are recorded as missed. */
const CATCH_UP_MS = 24 * 60 * MINUTE
/** Maximum runs started by `all`, and maximum times listed individually in the ledger after an outage. */
const MOST_TIMES = 100

const NOT_RUNNING = 'No scheduler was running at this time.'
const RUN_BEFORE = 'The previous run had not ended.'

/**
 * Decides the outcome of every passed planned time of a schedule. Apart from new run ids, the plan depends only on the
 * schedule and `now`.
 *
 * - Catch-up first selects the times that still start: always the last minute, never times older than 24 hours or
 *   before the publish. `latest` adds the last time, `none` adds nothing, `all` starts up to 100.
 * - The overlap rule then applies to each time while a run of the node is in flight.
 * - A queued fire (`queue_one`) starts first, once no run is in flight.
 *
 * @param now milliseconds since the epoch
 */
export function planFires(
  held: HeldSchedule,
  schedule: Schedule,
  now: number,
  newRunId: () => WorkflowRunId,
): FirePlan {
  const { nextFireAt } = held
  const isDue = nextFireAt !== null && nextFireAt <= now
  const { times, earlier } = isDue
    ? passedTimes(schedule, nextFireAt, now, MOST_TIMES)
    : { times: [], earlier: false }
  const fires: PlannedFire[] = []
  if (isDue && earlier) fires.push(missed(nextFireAt, reasonOfEarlier(times[0] ?? now)))

  const isStarted = caughtUp(held, times, now)
  const lane = new Lane(held, now, newRunId)
  for (const at of times) {
    if (isStarted(at)) lane.take(at)
    else fires.push(missed(at, NOT_RUNNING))
  }
  return {
    fires: [...fires, ...lane.fires],
    cancels: lane.cancels,
    nextFireAt: isDue ? fireAfter(schedule, now) : nextFireAt,
    waitingSince: lane.waiting,
  }
}

function missed(scheduledFor: number, reason: string): PlannedFire {
  return { scheduledFor, outcome: 'missed', reason, runId: null }
}

function reasonOfEarlier(until: number): string {
  return `${NOT_RUNNING} This also applies to every later fire before ${new Date(until).toISOString()}.`
}

/** The passed times that start a run. */
function caughtUp(
  { catchUp, publishedAt }: HeldSchedule,
  times: readonly number[],
  now: number,
): (at: number) => boolean {
  const isYoung = (at: number) => at > publishedAt && at >= now - CATCH_UP_MS
  const isPunctual = (at: number) => at >= now - PUNCTUAL_MS
  const last = times.at(-1)
  switch (catchUp) {
    case 'all':
      return isYoung
    case 'latest':
      return (at) => isYoung(at) && (at === last || isPunctual(at))
    case 'none':
      return (at) => isYoung(at) && isPunctual(at)
    default:
      return catchUp satisfies never
  }
}

/** Applies a node's overlap rule to its fires in order. */
class Lane {
  readonly fires: PlannedFire[] = []
  readonly cancels: WorkflowRunId[] = []
  /** The queued fire; null if none is queued. */
  waiting: number | null
  readonly #overlap: HeldSchedule['overlap']
  readonly #inFlight: readonly WorkflowRunId[]
  readonly #now: number
  readonly #newRunId: () => WorkflowRunId
  #isBusy: boolean

  constructor(held: HeldSchedule, now: number, newRunId: () => WorkflowRunId) {
    this.#overlap = held.overlap
    this.#inFlight = held.inFlight
    this.#isBusy = held.inFlight.length > 0
    this.#now = now
    this.#newRunId = newRunId
    this.waiting = held.waitingSince
    if (this.waiting === null || this.#isBusy) return
    this.#start(this.waiting, 'It waited for the previous run to end.')
    this.waiting = null
  }

  take(at: number): void {
    switch (this.#overlap) {
      case 'allow':
        this.#start(at)
        break
      case 'skip':
        if (this.#isBusy) this.#skip(at, RUN_BEFORE)
        else this.#start(at)
        break
      case 'queue_one':
        if (this.#isBusy) this.#queue(at)
        else this.#start(at)
        break
      case 'cancel_previous':
        this.#replace(at)
        break
      default:
        this.#overlap satisfies never
    }
  }

  /** The same time occurs again if the clock was set back. */
  #queue(at: number): void {
    if (this.waiting === null) this.waiting = at
    else if (this.waiting !== at) this.#skip(at, `${RUN_BEFORE} An earlier fire is already waiting for it.`)
  }

  /**
   * When several times are caught up in one turn, each replaces the previous one, so only the last starts a
   * run.
   */
  #replace(at: number): void {
    for (const [index, fire] of this.fires.entries()) {
      if (fire.runId === null) continue
      this.fires[index] = { ...fire, outcome: 'skipped', reason: 'A later fire replaced it.', runId: null }
    }
    if (this.cancels.length === 0) this.cancels.push(...this.#inFlight)
    this.#start(at)
  }

  #start(scheduledFor: number, waited: string | null = null): void {
    const isLate = scheduledFor < this.#now - PUNCTUAL_MS
    this.#isBusy = true
    this.fires.push({
      scheduledFor,
      outcome: waited !== null || isLate ? 'late' : 'fired',
      reason: waited ?? (isLate ? 'No scheduler was running at this time; the run was started later.' : null),
      runId: this.#newRunId(),
    })
  }

  #skip(scheduledFor: number, reason: string): void {
    this.fires.push({ scheduledFor, outcome: 'skipped', reason, runId: null })
  }
}
