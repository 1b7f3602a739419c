const HOUR_S = 3_600
const HOURS = 24

/** A number for each of the last 24 hours, the current one last; hours that are not listed are 0. `at` is in Unix seconds. */
export function hoursOfDay<Hour extends { at: number }>(
  hours: readonly Hour[],
  nowMs: number,
  of: (hour: Hour) => number,
): number[] {
  const known = new Map(hours.map((hour) => [hour.at, of(hour)]))
  const current = Math.floor(nowMs / 1_000 / HOUR_S) * HOUR_S
  return Array.from({ length: HOURS }, (_, index) => known.get(current - (HOURS - 1 - index) * HOUR_S) ?? 0)
}
