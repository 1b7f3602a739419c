import { type Moment, millisecondsOf } from '../format/times.ts'
import { listWords } from '../messages/en/lists.ts'

const DAY_MS = 24 * 3_600_000

/** The words for a last day with counted ended runs: if one started in it and none has ended, "No runs" would be wrong. */
export function dayWords(lastRunAt: Moment | null, nowMs: number) {
  const hasBegun = lastRunAt !== null && nowMs - millisecondsOf(lastRunAt) < DAY_MS
  return hasBegun ? { ...listWords, quiet: listWords.noneEnded } : listWords
}
