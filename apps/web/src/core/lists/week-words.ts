import { compactNumber } from '../format/numbers.ts'
import { type Moment, millisecondsOf } from '../format/times.ts'
import { listWords } from '../messages/en/lists.ts'

const DAY_MS = 24 * 3_600_000
/** Counted days before today. */
const EARLIER_DAYS = 6
/** The server's maximum count for a day. */
const MOST_OF_A_DAY = 1_000

/** The ended runs of seven days, oldest day first. */
interface WeekOfRuns {
  ok: readonly number[]
  failed: readonly number[]
}

/** The number of a week's ended runs, short and as a sentence. */
export function weekWords({ ok, failed }: WeekOfRuns, lastRunAt: Moment | null, nowMs: number) {
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)
  const runs = sum(ok) + sum(failed)
  if (runs === 0) {
    // If one started in these days and none has ended, "No runs" would be wrong.
    const begin = (Math.floor(nowMs / DAY_MS) - EARLIER_DAYS) * DAY_MS
    const hasBegun = lastRunAt !== null && millisecondsOf(lastRunAt) >= begin
    const words = hasBegun ? listWords.noneEnded : listWords.quiet
    return { short: words, sentence: words }
  }
  const isCut = [...ok, ...failed].some((count) => count >= MOST_OF_A_DAY)
  return {
    short: `${compactNumber(runs)}${isCut ? '+' : ''}`,
    sentence: listWords.weekOfRuns(runs, isCut, sum(failed)),
  }
}
