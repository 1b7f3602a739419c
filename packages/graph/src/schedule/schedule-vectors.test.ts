import { expect, test } from 'vitest'
import { nextFires } from './next-fire.ts'
import { readSchedule, type Schedule } from './read-schedule.ts'

// Table V6. Instants are UTC.

function read(pattern: string, timezone: string): Schedule {
  const [every = '', unit = '', ...more] = pattern.split(' ')
  const isInterval = more.length === 0 && /^(minute|hour|day)s?$/.test(unit)
  const interval = { mode: 'interval', every: Number(every), unit: unit.replace(/s?$/, 's') }
  const checked = readSchedule({ ...(isInterval ? interval : { mode: 'cron', cron: pattern }), timezone })
  if (!checked.ok) throw new Error(JSON.stringify(checked.errors))
  return checked.value
}
const seconds = (text: string) => Date.parse(`${text}:00Z`) / 1000

test.for<[string, string, string, string]>([
  [
    '30 2 * * *',
    'America/New_York',
    '2026-03-07T12:00',
    '2026-03-08T07:00 2026-03-09T06:30 2026-03-10T06:30',
  ],
  [
    '0 2,3 * * *',
    'America/New_York',
    '2026-03-08T03:30',
    '2026-03-08T07:00 2026-03-09T06:00 2026-03-09T07:00',
  ],
  [
    '*/10 2 * * *',
    'America/New_York',
    '2026-03-08T05:30',
    '2026-03-08T07:00 2026-03-09T06:00 2026-03-09T06:10',
  ],
  [
    '0 * * * *',
    'America/New_York',
    '2026-03-08T05:30',
    '2026-03-08T06:00 2026-03-08T07:00 2026-03-08T08:00 2026-03-08T09:00',
  ],
  [
    '0 */2 * * *',
    'America/New_York',
    '2026-03-08T04:30',
    '2026-03-08T05:00 2026-03-08T07:00 2026-03-08T08:00 2026-03-08T10:00',
  ],
  [
    '30 1 * * *',
    'America/New_York',
    '2026-10-31T12:00',
    '2026-11-01T05:30 2026-11-02T06:30 2026-11-03T06:30',
  ],
  [
    '0 1,2 * * *',
    'America/New_York',
    '2026-11-01T03:30',
    '2026-11-01T05:00 2026-11-01T07:00 2026-11-02T06:00 2026-11-02T07:00',
  ],
  [
    '0 * * * *',
    'America/New_York',
    '2026-11-01T04:00',
    '2026-11-01T05:00 2026-11-01T06:00 2026-11-01T07:00 2026-11-01T08:00 2026-11-01T09:00',
  ],
  [
    '*/30 * * * *',
    'America/New_York',
    '2026-11-01T04:45',
    '2026-11-01T05:00 2026-11-01T05:30 2026-11-01T06:00 2026-11-01T06:30 2026-11-01T07:00 2026-11-01T07:30 2026-11-01T08:00',
  ],
  [
    '0 */2 * * *',
    'America/New_York',
    '2026-11-01T03:30',
    '2026-11-01T04:00 2026-11-01T07:00 2026-11-01T09:00 2026-11-01T11:00',
  ],
  [
    '0 */2 * * *',
    'Europe/Berlin',
    '2026-03-28T22:30',
    '2026-03-28T23:00 2026-03-29T01:00 2026-03-29T02:00 2026-03-29T04:00',
  ],
  [
    '0 */2 * * *',
    'Europe/Berlin',
    '2026-10-24T21:30',
    '2026-10-24T22:00 2026-10-25T00:00 2026-10-25T03:00 2026-10-25T05:00',
  ],
  ['0 0 * * *', 'Asia/Beirut', '2026-03-28T12:00', '2026-03-28T22:00 2026-03-29T21:00'],
  ['0 0 * * *', 'America/Santiago', '2026-09-05T12:00', '2026-09-06T04:00 2026-09-07T03:00'],
  ['0 0 * * *', 'Africa/Cairo', '2026-04-23T12:00', '2026-04-23T22:00 2026-04-24T21:00'],
  ['30 23 * * *', 'Africa/Cairo', '2026-10-29T10:00', '2026-10-29T20:30 2026-10-30T21:30 2026-10-31T21:30'],
  ['0 0 * * *', 'America/Havana', '2026-10-31T12:00', '2026-11-01T04:00 2026-11-02T05:00 2026-11-03T05:00'],
  ['15 2 * * *', 'Australia/Lord_Howe', '2026-10-03T12:00', '2026-10-03T15:30 2026-10-04T15:15'],
  ['45 1 * * *', 'Australia/Lord_Howe', '2026-04-04T12:00', '2026-04-04T14:45 2026-04-05T15:15'],
  [
    '*/15 * * * *',
    'Australia/Lord_Howe',
    '2026-04-04T14:20',
    '2026-04-04T14:30 2026-04-04T14:45 2026-04-04T15:00 2026-04-04T15:15 2026-04-04T15:30 2026-04-04T15:45',
  ],
  ['30 1 * * *', 'Antarctica/Troll', '2026-03-28T12:00', '2026-03-29T01:00 2026-03-29T23:30'],
  ['0 9 30 12 *', 'Pacific/Apia', '2010-12-31T00:00', '2011-12-30T10:00 2012-12-29T19:00'],
  [
    '0 0 13 * 5',
    'UTC',
    '2026-03-01T00:00',
    '2026-03-06T00:00 2026-03-13T00:00 2026-03-20T00:00 2026-03-27T00:00',
  ],
  ['0 0 29 2 *', 'UTC', '2026-03-01T00:00', '2028-02-29T00:00'],
  ['1 day', 'Europe/Berlin', '2026-03-28T12:00', '2026-03-28T23:00 2026-03-29T22:00 2026-03-30T22:00'],
  ['1 day', 'Asia/Beirut', '2026-03-28T12:00', '2026-03-28T22:00 2026-03-29T21:00 2026-03-30T21:00'],
  ['2 days', 'Asia/Kolkata', '2026-03-28T12:00', '2026-03-29T18:30 2026-03-31T18:30'],
  ['7 days', 'UTC', '2026-03-28T12:00', '2026-04-02T00:00 2026-04-09T00:00'],
  [
    '6 hours',
    'Europe/Berlin',
    '2026-03-28T20:00',
    '2026-03-28T23:00 2026-03-29T04:00 2026-03-29T10:00 2026-03-29T16:00',
  ],
  [
    '6 hours',
    'Europe/Berlin',
    '2026-10-24T20:00',
    '2026-10-24T22:00 2026-10-25T05:00 2026-10-25T11:00 2026-10-25T17:00',
  ],
  ['2 hours', 'Europe/Berlin', '2026-03-28T23:30', '2026-03-29T01:00 2026-03-29T02:00 2026-03-29T04:00'],
  [
    '2 hours',
    'Europe/Berlin',
    '2026-10-24T22:30',
    '2026-10-25T00:00 2026-10-25T03:00 2026-10-25T05:00 2026-10-25T07:00',
  ],
  ['1 hour', 'Asia/Kolkata', '2026-03-28T12:00', '2026-03-28T12:30 2026-03-28T13:30'],
  [
    '15 minutes',
    'Europe/Berlin',
    '2026-10-25T00:40',
    '2026-10-25T00:45 2026-10-25T01:00 2026-10-25T01:15 2026-10-25T01:30',
  ],
  ['15 minutes', 'UTC', '2026-03-28T12:07', '2026-03-28T12:15 2026-03-28T12:30'],
  ['7 minutes', 'UTC', '2026-03-28T12:00', '2026-03-28T12:05 2026-03-28T12:12 2026-03-28T12:19'],
  [
    '45 minutes',
    'America/New_York',
    '2026-03-08T06:00',
    '2026-03-08T06:30 2026-03-08T07:00 2026-03-08T07:45 2026-03-08T08:30',
  ],
  ['90 minutes', 'UTC', '2026-03-28T12:00', '2026-03-28T13:30 2026-03-28T15:00 2026-03-28T16:30'],
  [
    '5 hours',
    'UTC',
    '2026-03-28T00:00',
    '2026-03-28T05:00 2026-03-28T10:00 2026-03-28T15:00 2026-03-28T20:00 2026-03-29T01:00 2026-03-29T06:00',
  ],
])('%s in %s after %s: %s', ([pattern, timezone, after, fires]) => {
  const expected = fires.split(' ')
  const found = nextFires(read(pattern, timezone), seconds(after), expected.length)
  expect(found.map((fire) => new Date(fire * 1000).toISOString().slice(0, 16))).toEqual(expected)
})

test('a fraction of a second counts as after the second', () => {
  expect(nextFires(read('* * * * *', 'UTC'), 59.999, 2)).toEqual([60, 120])
  expect(nextFires(read('0 0 * * *', 'UTC'), 0, 1)).toEqual([86_400])
})

test.for([
  ['5/20 * * * *', '2026-01-01T00:05 2026-01-01T00:25 2026-01-01T00:45 2026-01-01T01:05'],
  ['0 0 * * SUN', '2026-01-04T00:00 2026-01-11T00:00'],
  ['0 0 ? JAN 7', '2026-01-04T00:00 2026-01-11T00:00'],
  ['@daily', '2026-01-02T00:00 2026-01-03T00:00'],
  ['0 0 * * 1-5', '2026-01-02T00:00 2026-01-05T00:00'],
  ['0 0 * * fri-7', '2026-01-02T00:00 2026-01-03T00:00 2026-01-04T00:00 2026-01-09T00:00'],
  ['0 0 */1 * MON', '2026-01-05T00:00 2026-01-12T00:00'],
  [
    '0,30 6-18/12 1 2,jan *',
    '2026-01-01T06:00 2026-01-01T06:30 2026-01-01T18:00 2026-01-01T18:30 2026-02-01T06:00',
  ],
  // Vixie cron: a day field that begins with `*` does not restrict, so both must match (https://crontab.guru/cron-bug.html).
  ['0 9 */2 * 1-5', '2026-01-01T09:00 2026-01-05T09:00 2026-01-07T09:00 2026-01-09T09:00'],
  ['0 0 13 * */2', '2026-01-13T00:00 2026-06-13T00:00'],
  ['0 0 *,13 * FRI', '2026-01-02T00:00 2026-01-09T00:00'],
  ['0 0 1-31/2 * SAT', '2026-01-03T00:00 2026-01-05T00:00'],
  ['@yearly', '2027-01-01T00:00'],
  ['@Monthly', '2026-02-01T00:00'],
  ['@weekly', '2026-01-04T00:00'],
  ['@hourly', '2026-01-01T01:00'],
])('%s is accepted', ([cron = '', fires = '']) => {
  const expected = fires.split(' ')
  const found = nextFires(read(cron, 'UTC'), seconds('2026-01-01T00:00'), expected.length)
  expect(found.map((fire) => new Date(fire * 1000).toISOString().slice(0, 16))).toEqual(expected)
})

test.for([
  ['', 'must not be empty'],
  ['  ', 'must not be empty'],
  ['* * * *', 'must have 5 fields (minute hour day month weekday), got 4'],
  ['0 0 * * * *', 'must have 5 fields (minute hour day month weekday), got 6'],
  ['60 * * * *', 'the minute 60 is not between 0 and 59'],
  ['* 24 * * *', 'the hour 24 is not between 0 and 23'],
  ['0 0 0 * *', 'the day 0 is not between 1 and 31'],
  ['0 0 * 13 *', 'the month 13 is not between 1 and 12'],
  ['0 0 * * 8', 'the weekday 8 is not between 0 and 7'],
  ['5-1 * * * *', 'the minute range "5-1" is reversed'],
  ['*/0 * * * *', 'the minute step must be at least 1'],
  ['*/x * * * *', 'the minute step "x" is not understood'],
  ['1,,2 * * * *', 'the minute "" is not understood'],
  ['1/2/3 * * * *', 'the minute "1/2/3" is not understood'],
  ['1-2-3 * * * *', 'the minute "1-2-3" is not understood'],
  ['-1 * * * *', 'the minute "-1" is not understood'],
  ['0 0 L * *', 'the day "L" is not understood'],
  ['0 0 15W * *', 'the day "15W" is not understood'],
  ['0 0 * * mon#2', 'the weekday "mon#2" is not understood'],
  ['@reboot', '"@reboot" is not known'],
  ['0 0 30 2 *', 'has no fire within 9 years'],
])('the pattern "%s" is refused: %s', ([cron = '', message]) => {
  expect(readSchedule({ mode: 'cron', cron })).toEqual({ ok: false, errors: [{ path: 'cron', message }] })
})

test.for(['Mars/Base', '', '+02:00', ' ', 'constructor'])('the zone "%s" is refused', (timezone) => {
  const message = `must be an IANA time zone${timezone === '' ? '' : `: ${timezone}`}`
  expect(readSchedule({ mode: 'cron', cron: '@daily', timezone })).toEqual({
    ok: false,
    errors: [{ path: 'timezone', message }],
  })
})

test('every failure of a schedule is reported', () => {
  const errors = (config: Record<string, unknown>) => {
    const checked = readSchedule(config)
    return checked.ok ? [] : checked.errors.map(({ path, message }) => `${path} ${message}`)
  }
  expect(errors({})).toEqual(['mode must be one of: cron, interval'])
  expect(errors({ mode: 'cron', timezone: 'x' })).toEqual([
    'cron must be a string',
    'timezone must be an IANA time zone: x',
  ])
  expect(errors({ mode: 'interval', every: 0, unit: 'weeks' })).toEqual([
    'unit must be one of: minutes, hours, days',
    'every must be an integer of at least 1',
  ])
  expect(errors({ mode: 'interval', every: 1.5, unit: 'hours' })).toEqual([
    'every must be an integer of at least 1',
  ])
  expect(errors({ mode: 'interval', every: 1e300, unit: 'days' })).toEqual([
    'every has no fire within 9 years',
  ])
})
