/** A part of a whole, in fractions from 0 to 1. */
interface TimeSpan {
  start: number
  length: number
}

/**
 * A part of a time span, clipped to the whole: an end beyond it, caused by derived positions or clock differences, is moved to its
 * end.
 *
 * @param durationMs null: it has not ended
 */
export function spanWithin(totalMs: number, startMs: number, durationMs: number | null): TimeSpan {
  const whole = Math.max(1, totalMs)
  const begun = Math.max(0, startMs)
  const length = Math.min(1, (durationMs ?? Math.max(0, whole - begun)) / whole)
  return { start: Math.min(begun / whole, 1 - length), length }
}
