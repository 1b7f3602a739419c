/** A stretch of a whole, in shares of it from 0 to 1. */
interface TimeSpan {
  start: number
  length: number
}

/**
 * What of a whole something took. It never leaves the whole: what would end after it, because its place follows from other
 * durations or clocks differ, ends with it.
 *
 * @param durationMs null: it has not ended
 */
export function spanWithin(totalMs: number, startMs: number, durationMs: number | null): TimeSpan {
  const whole = Math.max(1, totalMs)
  const begun = Math.max(0, startMs)
  const length = Math.min(1, (durationMs ?? Math.max(0, whole - begun)) / whole)
  return { start: Math.min(begun / whole, 1 - length), length }
}
