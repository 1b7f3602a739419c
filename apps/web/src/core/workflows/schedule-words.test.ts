import { expect, test } from 'vitest'
import { scheduleWords, scheduleZone } from './schedule-words.ts'

test.for([
  ['0 9 * * MON-FRI', 'At 09:00, Monday to Friday'],
  ['30 6,18 * * *', 'At 06:30 and 18:30'],
  ['*/15 * * * *', 'Every 15 minutes'],
  ['0 * * * *', 'Every hour'],
  ['*/1 * * * *', 'Every minute'],
  ['0 */1 * * *', 'Every hour'],
  ['*/1 */1 * * *', 'Every minute'],
  ['*/15 */1 * * *', 'Every 15 minutes'],
  ['5 */2 * * *', 'Every 2 hours at :05'],
  ['0 0 1 * *', 'At 00:00, on day 1 of the month'],
  ['0 8 * JAN,7 0,6', 'At 08:00, Sunday and Saturday, in January and July'],
  ['0 9 15 * MON', 'Cron pattern 0 9 15 * MON'],
  ['nonsense', 'Cron pattern nonsense'],
  ['0 9 29 2 *', 'At 09:00, on day 29 of the month, in February'],
  // Out-of-range values, and patterns that never fire, get no explanation.
  ['99 99 * * *', 'Cron pattern 99 99 * * *'],
  ['0 24 * * *', 'Cron pattern 0 24 * * *'],
  ['0 9 31 2 *', 'Cron pattern 0 9 31 2 *'],
  ['0 9 31 APR,6 *', 'Cron pattern 0 9 31 APR,6 *'],
  ['0 9 0 * *', 'Cron pattern 0 9 0 * *'],
  ['0 9 * 13 *', 'Cron pattern 0 9 * 13 *'],
  ['0 9 * * 8', 'Cron pattern 0 9 * * 8'],
  ['*/0 * * * *', 'Cron pattern */0 * * * *'],
  ['*/45 * * * *', 'Cron pattern */45 * * * *'],
] as const)('the pattern %s is "%s"', ([cron, words]) => {
  expect(scheduleWords({ mode: 'cron', cron })).toBe(words)
})

test('intervals name their unit, and days the hour', () => {
  expect(scheduleWords({ mode: 'interval', every: 1, unit: 'hours' })).toBe('Every hour')
  expect(scheduleWords({ mode: 'interval', every: 20, unit: 'minutes' })).toBe('Every 20 minutes')
  expect(scheduleWords({ mode: 'interval', every: 2, unit: 'days' })).toBe('Every 2 days at 00:00')
  expect(scheduleWords({ mode: 'interval' })).toBe('No times yet')
})

test('a schedule without a zone follows UTC', () => {
  expect([scheduleZone({}), scheduleZone({ timezone: 'Europe/Berlin' })]).toEqual(['UTC', 'Europe/Berlin'])
})
