/** The time of a piece of work for texts of a given size. */
export interface Growth {
  /** Whether doubling the size took more than 2.8 times as long. */
  isSuperlinear: boolean
  /** The largest measured size, in characters, and its time. */
  size: number
  ms: number
  /** Time of a size divided by that of its half; null if no size took long enough to measure. */
  ratio: number | null
}

/** Half of a shorter time may be garbage collection. */
const MEASURABLE_MS = 8
/** Work below this for the first size takes at most seconds for the last, even if it is cubic. */
const NEGLIGIBLE_MS = 0.5
/** The first and the last size: quadratic work takes far longer than 8 ms for 32 KB. */
const FIRST_SIZE = 1024
const LAST_SIZE = 32 * 1024
/** The max ratio of a doubling for linear work. */
const MAX_RATIO = 2.8
/** Number of measurements of a ratio: another process disturbs one of them, not all. */
const ATTEMPTS = 3
const REPETITIONS = 2

/** Processor time of this thread: other processes do not count. */
function timeOf(work: () => void): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000
}

/** The minimum of several times: disturbances only make a measurement longer. */
function shortest(work: () => void, repetitions: number): number {
  let best = Number.POSITIVE_INFINITY
  for (let repetition = 0; repetition < repetitions; repetition += 1) best = Math.min(best, timeOf(work))
  return best
}

/**
 * Measures work on texts of doubling sizes until it takes long enough to compare, then compares that size with the next. Work that
 * never takes long, or refuses a size immediately, is not superlinear.
 */
export function growthOf(work: (text: string) => void, textOf: (size: number) => string): Growth {
  const run = (size: number, repetitions: number) => {
    const text = textOf(size)
    return shortest(() => work(text), repetitions)
  }
  let size = FIRST_SIZE
  let ms = run(size, 1)
  // Most work is too fast to need the sizes in between. Exponential work is not fast for the first one.
  if (ms < NEGLIGIBLE_MS) {
    ms = run(LAST_SIZE, 1)
    if (ms < MEASURABLE_MS) return { isSuperlinear: false, size: LAST_SIZE, ms, ratio: null }
    ms = run(size, 1)
  }
  while (size < LAST_SIZE && ms < MEASURABLE_MS) {
    size *= 2
    ms = run(size, 1)
    // The first run of a function is slow because it is not compiled yet.
    if (ms >= MEASURABLE_MS) ms = run(size, 2)
  }
  if (ms < MEASURABLE_MS) return { isSuperlinear: false, size, ms, ratio: null }
  // One longer run suffices for most work: disturbances can only increase the ratio.
  let ratio = run(size * 2, 1) / ms
  for (let attempt = 0; attempt < ATTEMPTS && ratio > MAX_RATIO; attempt += 1) {
    ratio = Math.min(ratio, run(size * 2, REPETITIONS) / run(size, REPETITIONS))
  }
  return { isSuperlinear: ratio > MAX_RATIO, size, ms, ratio }
}
