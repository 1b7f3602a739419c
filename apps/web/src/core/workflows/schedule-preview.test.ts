import { expect, test } from 'vitest'
import { schedulePreview } from './schedule-preview.ts'

const NOW = Date.parse('2026-11-26T12:00:00Z')
const preview = (cron: string | null, timezone = 'Europe/Berlin') =>
  schedulePreview({ mode: 'cron', cron, timezone }, NOW)

const CHANGE =
  'The clocks change on Sun 28 Mar: a skipped time fires right after the change, a repeated one only once.'

test('a pattern is shown in words with the next clock change of its zone', () => {
  expect(preview('0 9 * * MON-FRI')).toBe(`At 09:00, Monday to Friday. ${CHANGE}`)
})

test('a pattern without short words is shown as it is; UTC has no clock change', () => {
  expect(preview('@daily', 'UTC')).toBe('Cron pattern @daily.')
})

test('hourly patterns follow the clock', () => {
  expect(preview('30 * * * *')).toContain('skipped times do not fire, repeated ones fire twice')
})

// The rule of Vixie cron, as in the server's own test vectors (https://crontab.guru/cron-bug.html).
test.each([
  [
    '0 9 13 * 5',
    'Runs when the day of the month or the weekday matches, because neither field begins with *.',
  ],
  [
    '0 9 1-31 * 5',
    'Runs when the day of the month or the weekday matches, because neither field begins with *.',
  ],
  [
    '0 9 */2 * 1-5',
    'Runs when the day of the month and the weekday both match, because one field begins with *.',
  ],
])('%s explains how its days combine', (cron, rule) => {
  expect(preview(cron)).toContain(rule)
})

test('a pattern that restricts only one of the two does not mention it', () => {
  for (const cron of ['0 9 13 * *', '0 9 * * 5']) expect(preview(cron)).not.toMatch(/enough|both/)
})

test.each([
  ['99 * * * *', 'Not a pattern yet: the minute 99 is not between 0 and 59.'],
  ['* * * *', 'Not a pattern yet: must have 5 fields (minute hour day month weekday), got 4.'],
  ['0 0 31 2 *', 'It never starts: no date within 9 years matches.'],
])('%s reports its missing parts', (cron, words) => {
  expect(preview(cron)).toBe(words)
})

test('nothing is wrong before something is typed, and a wrong zone is not a wrong pattern', () => {
  expect(preview(null)).toBe('No times yet')
  expect(preview('0 9 * * *', 'Mars')).toBe('At 09:00')
})
