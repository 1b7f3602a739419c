import { nextFire, type Schedule } from '@troupe/graph'

const SECOND = 1_000
const FIRST_WINDOW = 2 * 60 * 60 * SECOND
const GROWTH = 4

/** Planned times of a schedule that have passed. */
export interface PassedTimes {
  /** In order, milliseconds since the epoch; the last `most` of them. */
  times: number[]
  /** Whether there were earlier ones. */
  earlier: boolean
}

/**
 * The times of a schedule from a stored fire until now, which has come. After a long downtime there may be a hundred thousand of them,
 * and fires are found forwards only: the last ones are looked for in a window that grows until it holds enough.
 *
 * @param from at most `now`; both in milliseconds since the epoch
 */
export function passedTimes(schedule: Schedule, from: number, now: number, most: number): PassedTimes {
  for (let window = FIRST_WINDOW; ; window *= GROWTH) {
    const isWhole = now - window <= from
    // The stored fire counts, even should the rules of its zone have changed since.
    const found = isWhole
      ? [from, ...firesBetween(schedule, from, now)]
      : firesBetween(schedule, now - window, now)
    if (isWhole || found.length >= most) {
      return { times: found.slice(-most), earlier: !isWhole || found.length > most }
    }
  }
}

/** The next fire after a moment; null when there is none within nine years. All in milliseconds since the epoch. */
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
