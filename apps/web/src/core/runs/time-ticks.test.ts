import { expect, test } from 'vitest'
import { tickStep } from './time-ticks.ts'

test.each([
  [0, 1],
  [3, 1],
  [732, 200],
  [4_000, 1_000],
  [4_100, 2_000],
  [40_000, 10_000],
  [45_000, 15_000],
  [230_000, 60_000],
  [7_200_000, 1_800_000],
  [3 * 86_400_000, 86_400_000],
  [30 * 86_400_000, 10 * 86_400_000],
])('a timeline of %d ms has a tick each %d ms', (totalMs, step) => {
  expect(tickStep(totalMs)).toBe(step)
})
