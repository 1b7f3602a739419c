import { clockTime, shortDate } from '../format/times.ts'
import { runWords } from '../messages/en/runs.ts'

/** Counts of runs over time, as the server sends them: buckets without runs are omitted. */
export interface RunCounts {
  from: number
  to: number
  bucketSeconds: number
  data: readonly { at: number; completed: number; failed: number; other: number; inFlight: number }[]
}

/** Every bucket of the time range, including those without runs, as bars. */
export function histogramPoints({ from, to, bucketSeconds, data }: RunCounts, nowMs: number) {
  const counts = new Map(data.map((bucket) => [bucket.at, bucket]))
  const buckets = Math.ceil((to - from) / bucketSeconds)
  const isDay = to - from <= DAY_S
  let day = ''
  return Array.from({ length: buckets }, (_, index) => {
    const at = from + index * bucketSeconds
    const { completed = 0, failed = 0, other = 0, inFlight = 0 } = counts.get(at) ?? {}
    const date = shortDate(at, nowMs)
    // Over several days, each day is written once.
    const axis = isDay ? undefined : date === day ? '' : date
    day = date
    return {
      id: String(at),
      label: isDay ? clockTime(at) : `${date} ${clockTime(at)}`,
      ...(axis === undefined ? {} : { axis }),
      values: { completed, failed, other, inFlight },
      ...(at * 1000 <= nowMs && nowMs < (at + bucketSeconds) * 1000 && { isOpen: true }),
    }
  })
}

const DAY_S = 86_400

/** The time from the beginning of one bucket to the end of another, in Unix seconds. */
export function bucketRange({ from, to, bucketSeconds }: RunCounts, first: number, last: number) {
  return { from: from + first * bucketSeconds, to: Math.min(to, from + (last + 1) * bucketSeconds) }
}

/** "22 Nov, 14:00 – 15:30", or both dates when they differ. */
export function rangeText(from: number | null, to: number | null, nowMs: number): string {
  const moment = (at: number) => `${shortDate(at, nowMs)}, ${clockTime(at)}`
  if (from === null) return to === null ? '' : runWords.until(moment(to))
  if (to === null) return runWords.since(moment(from))
  const isOneDay = shortDate(from, nowMs) === shortDate(to, nowMs)
  return `${moment(from)} – ${isOneDay ? clockTime(to) : moment(to)}`
}
