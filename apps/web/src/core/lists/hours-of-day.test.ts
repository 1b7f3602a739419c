import { expect, test } from 'vitest'
import { hoursOfDay } from './hours-of-day.ts'

const NOON = Date.UTC(2026, 0, 2, 12, 30)
const at = (hour: number) => Date.UTC(2026, 0, 2, hour) / 1_000

test('the current hour is the last of 24, and hours without anything are 0', () => {
  const hours = hoursOfDay(
    [
      { at: at(12), runs: 3 },
      { at: at(10), runs: 2 },
    ],
    NOON,
    ({ runs }) => runs,
  )
  expect(hours).toHaveLength(24)
  expect(hours.slice(-3)).toEqual([2, 0, 3])
  expect(hours.slice(0, -3).every((count) => count === 0)).toBe(true)
})
