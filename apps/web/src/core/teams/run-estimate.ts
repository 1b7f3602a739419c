import type { ListedRun } from '@troupe/contract/builder'

/** The median cost of runs. */
export interface RunEstimate {
  /** The number of its runs. */
  runs: number
  tokens: number
  ms: number
}

/** The estimate from the newest runs; null when none of them has completed. */
export function runEstimate(
  runs: readonly Pick<ListedRun, 'status' | 'inputTokens' | 'outputTokens' | 'durationMs'>[],
): RunEstimate | null {
  const ended = runs.flatMap(({ status, inputTokens, outputTokens, durationMs }) =>
    status === 'completed' && durationMs !== null
      ? [{ tokens: (inputTokens ?? 0) + (outputTokens ?? 0), ms: durationMs }]
      : [],
  )
  if (ended.length === 0) return null
  return {
    runs: ended.length,
    tokens: median(ended.map(({ tokens }) => tokens)),
    ms: median(ended.map(({ ms }) => ms)),
  }
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  const [low, high] = [sorted[Math.floor(middle)] ?? 0, sorted[Math.ceil(middle)] ?? 0]
  return Math.round((low + high) / 2)
}
