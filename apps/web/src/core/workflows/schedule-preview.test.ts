import { expect, test } from 'vitest'
import { schedulePreview } from './schedule-preview.ts'

const NOW = Date.parse('2026-11-26T12:00:00Z')
const preview = (cron: string | null, timezone = 'Europe/Berlin') =>
  schedulePreview({ mode: 'cron', cron, timezone }, NOW)

test('a pattern is shown with its next fires, on the clock of its zone', () => {
  expect(preview('0 9 * * MON-FRI')).toBe(
    'At 09:00, Monday to Friday. Next: Fri 27 Nov, 09:00; Mon 30 Nov, 09:00; Tue 1 Dec, 09:00.',
  )
})

test('a pattern without short words has its next fires, too', () => {
  expect(preview('@daily')).toBe(
    'Cron pattern @daily. Next: Fri 27 Nov, 00:00; Sat 28 Nov, 00:00; Sun 29 Nov, 00:00.',
  )
})

test.each([
  ['99 * * * *', 'Not a pattern yet: the minute 99 is not between 0 and 59.'],
  ['* * * *', 'Not a pattern yet: must have 5 fields (minute hour day month weekday), got 4.'],
  ['0 0 31 2 *', 'Not a pattern yet: has no fire within 9 years.'],
])('%s says what it lacks', (cron, words) => {
  expect(preview(cron)).toBe(words)
})

test('nothing is wrong before something is typed, and a wrong zone is not a wrong pattern', () => {
  expect(preview(null)).toBe('No times yet')
  expect(preview('0 9 * * *', 'Mars')).toBe('At 09:00')
})
