import { nextFire, type Schedule } from '@troupe/graph'

const SECOND = 1_000
const FIRST_WINDOW = 2 * 60 * 60 * SECOND
const GROWTH = 4

/** Planned times of a schedule that have passed. */
export interface PassedTimes {
  /** Ascending, milliseconds since the epoch; at most the last `most`. */
  times: number[]
  /** Whether earlier times were omitted. */
  earlier: boolean
}

/**
 * The times of a schedule from its stored next fire until now. Fires can only be computed forwards, and a long downtime
 * may span a hundred thousand of them. So the window ends now and grows backwards until it contains enough.
 *
 * @param from at most `now`; both in milliseconds since the epoch
 */
export function passedTimes(schedule: Schedule, from: number, now: number, most: number): PassedTimes {
  for (let window = FIRST_WINDOW; ; window *= GROWTH) {
    const isWhole = now - window <= from
    // The stored fire counts even if its zone's rules have changed since.
    const found = isWhole
      ? [from, ...firesBetween(schedule, from, now)]
      : firesBetween(schedule, now - window, now)
    if (isWhole || found.length >= most) {
      return { times: found.slice(-most), earlier: !isWhole || found.length > most }
    }
  }
}

/** The next fire after a moment, in milliseconds since the epoch; null if there is none within nine years. */
export function fireAfter(schedule: Schedule, moment: number): number | null {
  const next = nextFire(schedule, moment / SECOND)
  return next === null ? null : next * SECOND
}

function firesBetween(schedule: Schedule, after: number, until: number): number[] {
  const found: number[] = []
  for (let at = fireAfter(schedule, after); at !== null && at <= until; at = fireAfter(schedule, at)) {
    found.push(at)
  }
  return found
}
