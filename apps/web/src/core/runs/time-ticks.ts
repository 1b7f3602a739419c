const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** Steps that read as round, beside 1, 2 and 5 of a power of ten. */
const CLOCK_STEPS = [15 * SECOND, 30 * SECOND, MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 30 * MINUTE]
const LONG_STEPS = [HOUR, 2 * HOUR, 6 * HOUR, 12 * HOUR, DAY]

/**
 * The distance of a timeline's ticks, in milliseconds: the smallest round step that divides it into at most `most` parts.
 *
 * @param totalMs the length of the timeline; less than 1 counts as 1
 */
export function tickStep(totalMs: number, most = 4): number {
  const least = Math.max(1, totalMs) / most
  if (least > DAY) return decimalStep(least / DAY) * DAY
  const step = least > 10 * SECOND ? [...CLOCK_STEPS, ...LONG_STEPS].find((one) => one >= least) : undefined
  return step ?? Math.max(1, decimalStep(least))
}

/** The smallest of 1, 2, 5, 10, 20, 50… that is at least this. */
function decimalStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least))
  return power * ([1, 2, 5].find((factor) => factor * power >= least) ?? 10)
}
