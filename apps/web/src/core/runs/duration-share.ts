const SHORTEST_MS = 10
const LONGEST_MS = 3_600_000

/**
 * How long the bar of a run is, from 0 to 1: up to 10 ms nothing, from an hour all of it. Logarithmic, because runs of a
 * second and of an hour stand in one list, and fixed, so that no bar changes when more rows are loaded.
 */
export function durationShare(durationMs: number): number {
  const share = Math.log(Math.max(durationMs, SHORTEST_MS) / SHORTEST_MS) / Math.log(LONGEST_MS / SHORTEST_MS)
  return Math.min(1, share)
}
