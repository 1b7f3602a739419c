import { expect, test } from 'vitest'
import { labelStep, niceTicks } from './scale.ts'

test.for([
  [0, [0, 1]],
  [7, [0, 2, 4, 6, 8]],
  [100, [0, 25, 50, 75, 100]],
  [0.31, [0, 0.1, 0.2, 0.3, 0.4]],
  [1_240, [0, 500, 1_000, 1_500]],
] as const)('the ticks up to %d are round', ([largest, ticks]) => {
  expect(niceTicks(largest)).toEqual(ticks)
})

test('labels that would touch are omitted', () => {
  expect([labelStep(7, 700, 60), labelStep(30, 600, 60), labelStep(5, 0, 60)]).toEqual([1, 3, 300])
})

test.for([
  [1, [0, 1]],
  [2, [0, 1, 2]],
  [9, [0, 5, 10]],
  [90, [0, 25, 50, 75, 100]],
] as const)('counts up to %d have integer ticks', ([largest, ticks]) => {
  expect(niceTicks(largest, { isWhole: true })).toEqual(ticks)
})
