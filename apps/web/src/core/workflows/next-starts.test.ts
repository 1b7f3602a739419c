import { expect, test } from 'vitest'
import { nextStarts } from './next-starts.ts'

const NOW = Date.parse('2026-11-26T12:00:00Z')
const shown = (config: Record<string, unknown>, now = NOW) =>
  nextStarts(config, now)?.starts.map(({ when, gap }) => `${when}, ${gap}`)

test('the next starts are on the clock of the zone, each with the time since the previous one', () => {
  const config = { mode: 'cron', cron: '0 9 * * MON-FRI', timezone: 'Europe/Berlin' }
  expect(nextStarts(config, NOW)?.zone).toBe('Europe/Berlin')
  expect(shown(config)).toEqual([
    'Fri 27 Nov, 09:00, in 20 h',
    'Mon 30 Nov, 09:00, 3 days later',
    'Tue 1 Dec, 09:00, 24 h later',
    'Wed 2 Dec, 09:00, 24 h later',
    'Thu 3 Dec, 09:00, 24 h later',
  ])
})

test('an hour skipped or repeated by a clock change is in the gap', () => {
  const daily = { mode: 'cron', cron: '0 9 * * *', timezone: 'Europe/Berlin' }
  expect(shown(daily, Date.parse('2027-03-27T12:00:00Z'))?.[0]).toBe('Sun 28 Mar, 09:00, in 19 h')
  expect(shown(daily, Date.parse('2027-03-27T07:30:00Z'))?.slice(0, 2)).toEqual([
    'Sat 27 Mar, 09:00, in 30 min',
    'Sun 28 Mar, 09:00, 23 h later',
  ])
})

test('an interval has starts, too; settings without times have none', () => {
  expect(shown({ mode: 'interval', every: 90, unit: 'minutes' })?.slice(0, 2)).toEqual([
    'Thu 26 Nov, 13:30, in 1 h 30 min',
    'Thu 26 Nov, 15:00, 1 h 30 min later',
  ])
  expect(shown({ mode: 'interval', every: 3, unit: 'days' })?.[1]).toMatch(/, 3 days later$/)
  for (const config of [
    {},
    { mode: 'cron' },
    { mode: 'cron', cron: '0 0 30 2 *' },
    { mode: 'interval', every: 0 },
  ])
    expect(nextStarts(config, NOW)).toBeNull()
})
