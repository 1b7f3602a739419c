import { expect, test } from 'vitest'
import { runEstimate } from './run-estimate.ts'

const run = (tokens: number, durationMs: number | null, status: 'completed' | 'failed' = 'completed') => ({
  status,
  inputTokens: tokens,
  outputTokens: 0,
  durationMs,
})

test('an estimate is the median of the runs that have completed', () => {
  expect(runEstimate([run(10, 5), run(1_000, 9), run(20, 6), run(7, 1, 'failed'), run(9, null)])).toEqual({
    runs: 3,
    tokens: 20,
    ms: 6,
  })
  expect(runEstimate([run(10, 5), run(21, 8)])).toEqual({ runs: 2, tokens: 16, ms: 7 })
})

test('without a completed run there is no estimate', () => {
  expect(runEstimate([])).toBeNull()
  expect(runEstimate([run(10, 5, 'failed')])).toBeNull()
})
