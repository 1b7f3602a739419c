const SHORTEST_MS = 10
const LONGEST_MS = 3_600_000

/**
 * The length of a run's bar, from 0 to 1: empty up to 10 ms, full from an hour. Logarithmic, because a list mixes runs of seconds
 * and hours, and fixed, so that no bar changes when more rows are loaded.
 */
export function durationShare(durationMs: number): number {
  const share = Math.log(Math.max(durationMs, SHORTEST_MS) / SHORTEST_MS) / Math.log(LONGEST_MS / SHORTEST_MS)
  return Math.min(1, share)
}
