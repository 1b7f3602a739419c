import { expect, test } from 'vitest'
import { nextClockChange, zonedTime } from './zoned-times.ts'

test('a moment is shown in the time of its zone', () => {
  expect(zonedTime('2026-11-23T08:00:00Z', 'Europe/Berlin')).toBe('Mon 23 Nov, 09:00')
  expect(zonedTime('2026-11-23T08:00:00Z', 'Nowhere/Else')).toBe('Mon 23 Nov, 08:00')
})

test('a change of the clocks ahead is named by its day, and none further away', () => {
  const before = Date.parse('2026-10-20T12:00:00Z')
  expect(nextClockChange('Europe/Berlin', before, 14)).toBe('Sun 25 Oct')
  expect(nextClockChange('Europe/Berlin', before, 3)).toBeNull()
  expect(nextClockChange('UTC', before, 14)).toBeNull()
})
