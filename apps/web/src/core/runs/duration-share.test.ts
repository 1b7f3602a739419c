import { expect, test } from 'vitest'
import { durationShare } from './duration-share.ts'

test('the bar of a run grows with each tenfold time by the same length, within its track', () => {
  expect([0, 10, 3_600_000, 86_400_000].map(durationShare)).toEqual([0, 0, 1, 1])
  const [second, ten, hundred] = [1_000, 10_000, 100_000].map(durationShare)
  expect((ten ?? 0) - (second ?? 0)).toBeCloseTo((hundred ?? 0) - (ten ?? 0))
  expect(second).toBeCloseTo(0.36, 2)
})
