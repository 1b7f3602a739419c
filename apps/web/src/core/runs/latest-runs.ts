import type { ListedRun } from '@troupe/contract/builder'
import { isEnded } from './run-state.ts'

/** A run with the earlier ones that are grouped with it. */
export interface LatestRun {
  run: ListedRun
  /** The number of consecutive runs of the same resource with the same result, including this one. */
  inARow: number
}

/** The runs that have ended, newest first; consecutive runs of the same resource with the same result are one entry. */
export function latestRuns(runs: readonly ListedRun[]): LatestRun[] {
  const latest: LatestRun[] = []
  for (const run of runs) {
    if (!isEnded(run.status)) continue
    const newer = latest.at(-1)
    if (newer?.run.entity.id === run.entity.id && newer.run.status === run.status) newer.inARow += 1
    else latest.push({ run, inARow: 1 })
  }
  return latest
}
