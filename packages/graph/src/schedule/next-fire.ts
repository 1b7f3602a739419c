import type { Schedule } from './read-schedule.ts'
import { type Instant, instantsOf, transitionBetween } from './zone-clock.ts'

/** Longer than any clock change in history. */
const HORIZON = 26 * 60 * 60

/**
 * The first instant after another at which a schedule fires, in Unix seconds; null if there is none within nine years.
 *
 * A schedule at given hours fires once a day even when the clocks change: a skipped time fires at the first instant
 * after the gap, merged with any other fire there; a repeated time fires at its first occurrence. A schedule of every
 * hour or more often follows the clock: skipped times do not fire, repeated ones fire twice.
 */
export function nextFire(schedule: Schedule, after: Instant): Instant | null {
  return schedule.isFrequent ? nextFrequent(schedule, after) : nextOnce(schedule, after)
}

/** The next fires of a schedule, at most `count`, in order. */
export function nextFires(schedule: Schedule, after: Instant, count: number): Instant[] {
  const fires: Instant[] = []
  for (let at = nextFire(schedule, after); at !== null && fires.length < count; at = nextFire(schedule, at)) {
    fires.push(at)
  }
  return fires
}

/** Ordered wall times yield ordered instants, because each maps to its first occurrence. */
function nextOnce({ clock, nextWall }: Schedule, after: Instant): Instant | null {
  const now = Math.floor((after + clock.offsetAt(after)) / 60)
  for (let wall = nextWall(now); wall !== null; wall = nextWall(wall)) {
    const { instants, gapEnd } = instantsOf(clock, wall * 60)
    const fire = instants[0] ?? gapEnd
    // A second pass through a repeated hour: this time has already fired.
    if (fire !== null && fire > after) return fire
  }
  return null
}

/** Follows the clock from one change to the next. */
function nextFrequent({ clock, nextWall }: Schedule, after: Instant): Instant | null {
  let at = after
  // The last wall-clock minute that has passed.
  let over = Math.floor((at + clock.offsetAt(at)) / 60)
  for (;;) {
    const wall = nextWall(over)
    if (wall === null) return null
    const candidate = wall * 60 - clock.offsetAt(at)
    const change = transitionBetween(clock, at, Math.min(candidate, at + HORIZON))
    if (change === null && candidate <= at + HORIZON) return candidate
    const { instants, gapEnd } =
      change === null ? instantsOf(clock, wall * 60) : { instants: [], gapEnd: change }
    const [fire] = instants
    if (fire !== undefined) return fire
    if (gapEnd === null) return null
    at = gapEnd
    over = Math.ceil((at + clock.offsetAt(at)) / 60) - 1
  }
}
