/** How long a piece of work takes for a text of a given size. */
export interface Growth {
  /** Whether doubling the size took more than 2.8 times as long. */
  isSuperlinear: boolean
  /** The largest size that was measured, in characters, and what it took. */
  size: number
  ms: number
  /** Time of a size over that of its half; null when no size took long enough to be measured. */
  ratio: number | null
}

/** Half of a shorter time may be a collection of garbage. */
const MEASURABLE_MS = 8
/** What may take this long for the first size, even if it were cubic, takes seconds at most for the last. */
const NEGLIGIBLE_MS = 0.5
/** Where to begin, and where to end: what is quadratic takes far longer than 8 ms for 32 KB. */
const FIRST_SIZE = 1024
const LAST_SIZE = 32 * 1024
/** Above it a doubling is more than linear. */
const MAX_RATIO = 2.8
/** How often a ratio is measured before it is believed: another process makes one measurement slow, not all. */
const ATTEMPTS = 3
const REPETITIONS = 2

/** Time of this thread on a processor: other processes do not count. */
function timeOf(work: () => void): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000
}

/** The shortest of several times: everything that disturbs a measurement makes it longer. */
function shortest(work: () => void, repetitions: number): number {
  let best = Number.POSITIVE_INFINITY
  for (let repetition = 0; repetition < repetitions; repetition += 1) best = Math.min(best, timeOf(work))
  return best
}

/**
 * Measures work on texts of doubling sizes until it takes long enough to compare, then compares that size with the next.
 * Work that never takes long, or refuses a size at once, is not superlinear.
 */
export function growthOf(work: (text: string) => void, textOf: (size: number) => string): Growth {
  const run = (size: number, repetitions: number) => {
    const text = textOf(size)
    return shortest(() => work(text), repetitions)
  }
  let size = FIRST_SIZE
  let ms = run(size, 1)
  // Most work is too fast to be worth the sizes between. What is exponential is not fast for the first one.
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
  // One longer run is enough for most work: what disturbs it can only make the ratio larger.
  let ratio = run(size * 2, 1) / ms
  for (let attempt = 0; attempt < ATTEMPTS && ratio > MAX_RATIO; attempt += 1) {
    ratio = Math.min(ratio, run(size * 2, REPETITIONS) / run(size, REPETITIONS))
  }
  return { isSuperlinear: ratio > MAX_RATIO, size, ms, ratio }
}
