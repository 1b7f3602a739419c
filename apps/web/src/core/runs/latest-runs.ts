import type { ListedRun } from '@troupe/contract/builder'
import { isEnded } from './run-state.ts'

/** A run with those before it that are told with it. */
export interface LatestRun {
  run: ListedRun
  /** How many runs of the same thing ended the same way one after the other, this one included. */
  inARow: number
}

/** The runs that have ended, newest first; one after the other of the same thing with the same result are one entry. */
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
