import type { WorkflowRunId } from '@troupe/contract'
import type { FirePlan, HeldSchedule, PlannedFire } from '@troupe/database'
import type { Schedule } from '@troupe/graph'
import { fireAfter, passedTimes } from './fire-times.ts'

const MINUTE = 60_000
/** What starts within this time has started on time: fires of one second are paced. */
const PUNCTUAL_MS = MINUTE
/** Older times are never caught up on. */
const CATCH_UP_MS = 24 * 60 * MINUTE
/** Runs that `all` starts at most, and times that an outage leaves in the ledger one by one. */
const MOST_TIMES = 100

const NOT_RUNNING = 'No scheduler was running at this time.'
const RUN_BEFORE = 'The run before was not over.'

/**
 * Decides what becomes of every planned time of a schedule that has passed. Pure: the same schedule at the same moment
 * has the same plan.
 *
 * - Catch-up first: which of the times still start. A time of the last minute always does, one of more than 24 hours ago
 *   or from before the publish never. `latest` starts the last one only, `none` only what is on time, `all` up to 100.
 * - Then, time by time, overlap: what a start does while a run of the node is in flight.
 * - A fire that waited (`queue_one`) comes before all of them, as soon as nothing is in flight.
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
  return `${NOT_RUNNING} The same holds for every later one before ${new Date(until).toISOString()}.`
}

/** Which of the passed times start a run. */
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

/** The runs of one node, one after the other. */
class Lane {
  readonly fires: PlannedFire[] = []
  readonly cancels: WorkflowRunId[] = []
  /** The fire that waits for the run before; null when none does. */
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
    this.#start(this.waiting, 'It waited for the run before to end.')
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

  /** The same time comes again when the clock was set back. */
  #queue(at: number): void {
    if (this.waiting === null) this.waiting = at
    else if (this.waiting !== at) this.#skip(at, `${RUN_BEFORE} An earlier fire waits for it already.`)
  }

  /** Of several times that are caught up on at once only the last one gets further than its start. */
  #replace(at: number): void {
    for (const [index, fire] of this.fires.entries()) {
      if (fire.runId === null) continue
      this.fires[index] = { ...fire, outcome: 'skipped', reason: 'A later fire took its place.', runId: null }
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
      reason: waited ?? (isLate ? 'No scheduler was running at this time; it was caught up on.' : null),
      runId: this.#newRunId(),
    })
  }

  #skip(scheduledFor: number, reason: string): void {
    this.fires.push({ scheduledFor, outcome: 'skipped', reason, runId: null })
  }
}
