import type { PhoneTrunkRecord } from '../trunks/trunk.ts'

/** The counts that a trunk's caps limit, without the call in question. */
export interface CallCounts {
  inFlight: number
  /** Calls in flight between the same two numbers. */
  samePair: number
  /** Calls in the window of the rate, and when the oldest of them was placed. */
  inRateWindow: number
  oldestInRateWindow: Date | null
  /** Calls to the destination that the carrier attempted within an hour. */
  toDestination: number
  oldestToDestination: Date | null
  /** Calls in 24 hours. */
  inDay: number
  oldestInDay: Date | null
}

/** A refusal of a call by a cap. */
export type CapRefusal =
  | { kind: 'concurrency'; message: string }
  | { kind: 'rate'; message: string; retryAfterS: number }

const HOUR_MS = 60 * 60_000
const DAY_MS = 24 * HOUR_MS

/** The window in which `callsInWindow` calls may be placed, for a rate of calls a second. */
export function rateWindow(maxCps: number): { callsInWindow: number; windowMs: number } {
  return maxCps >= 1
    ? { callsInWindow: Math.floor(maxCps), windowMs: 1_000 }
    : { callsInWindow: 1, windowMs: Math.ceil(1_000 / maxCps) }
}

/**
 * The first cap that refuses a call, or null.
 *
 * @param newTrunkCalls the cap of a trunk's first 24 hours; 0: none
 * @param now milliseconds since the epoch
 */
export function capRefusal(
  trunk: Pick<
    PhoneTrunkRecord,
    'maxConcurrentCalls' | 'maxCps' | 'maxCallsPerDestinationPerHour' | 'dailyCallCap' | 'createdAt'
  >,
  counts: CallCounts,
  newTrunkCalls: number,
  now: number,
): CapRefusal | null {
  if (counts.samePair > 0) {
    return { kind: 'concurrency', message: 'A call between these two numbers is in progress.' }
  }
  if (counts.inFlight >= trunk.maxConcurrentCalls) {
    const calls = trunk.maxConcurrentCalls === 1 ? '1 call' : `${trunk.maxConcurrentCalls} calls`
    return { kind: 'concurrency', message: `This trunk already has ${calls} in flight.` }
  }
  const over = (message: string, oldest: Date | null, windowMs: number): CapRefusal => {
    const left = oldest === null ? windowMs : oldest.getTime() + windowMs - now
    return { kind: 'rate', message, retryAfterS: Math.max(1, Math.ceil(left / 1_000)) }
  }
  const { callsInWindow, windowMs } = rateWindow(trunk.maxCps)
  if (counts.inRateWindow >= callsInWindow) {
    return over('The trunk is over its limit of calls per second.', counts.oldestInRateWindow, windowMs)
  }
  if (counts.toDestination >= trunk.maxCallsPerDestinationPerHour) {
    return over('This number has reached its limit of calls per hour.', counts.oldestToDestination, HOUR_MS)
  }
  if (trunk.dailyCallCap !== null && counts.inDay >= trunk.dailyCallCap) {
    return over('The trunk has reached its limit of calls per day.', counts.oldestInDay, DAY_MS)
  }
  const isNew = now < trunk.createdAt.getTime() + DAY_MS
  if (isNew && newTrunkCalls > 0 && counts.inDay >= newTrunkCalls) {
    return over('A new trunk has a lower limit of calls in its first 24 hours.', trunk.createdAt, DAY_MS)
  }
  return null
}
