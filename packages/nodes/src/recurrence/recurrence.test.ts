import { readSchedule } from '@troupe/graph'
import { expect, test } from 'vitest'
import { findings } from '../testing/findings.ts'
import { recurrence } from './definition.ts'

const cron = (pattern: unknown, more: object = {}) => ({ mode: 'cron', cron: pattern, ...more })
const every = (n: unknown, unit: unknown, more: object = {}) => ({
  mode: 'interval',
  every: n,
  unit,
  ...more,
})

test.for<[Record<string, unknown>, string[]]>([
  [cron('0 9 * * MON-FRI', { timezone: 'Europe/Berlin' }), []],
  [cron('5/20 * * * *'), []],
  [cron('0 0 ? JAN 7'), []],
  [cron('@daily', { overlap: 'queue_one', catchUp: 'all', every: 5 }), []],
  [every(6, 'hours'), []],
  [every(1, 'days', { cron: '' }), []],
  [{}, ['mode is required']],
  [{ mode: 'often' }, ['mode must be one of: cron, interval']],
  [cron(undefined), ['cron is required when the mode is cron']],
  [cron(7), ['cron must be a string or null']],
  [
    { mode: 'interval' },
    ['unit is required when the mode is interval', 'every is required when the mode is interval'],
  ],
  [every(0, 'hours'), ['every must be at least 1']],
  [every(1.5, 'hours'), ['every must be an integer or null']],
  [every(2, 'weeks'), ['unit must be one of: minutes, hours, days, null']],
  [cron('@daily', { timezone: 'Mars/Base' }), ['timezone must be an IANA time zone: Mars/Base']],
  [cron('@daily', { timezone: '' }), ['timezone must be an IANA time zone']],
  [cron('@daily', { timezone: null }), ['timezone must be a string']],
  // This mode cannot be converted to text.
  [{ mode: { toString: null }, timezone: null }, ['mode must be a string', 'timezone must be a string']],
  [
    cron(undefined, { timezone: '' }),
    ['cron is required when the mode is cron', 'timezone must be an IANA time zone'],
  ],
  [
    cron('@daily', { overlap: 'stop', catchUp: 'some' }),
    [
      'overlap must be one of: allow, skip, queue_one, cancel_previous',
      'catchUp must be one of: latest, none, all',
    ],
  ],
])('the config %j has the findings %j', ([config, expected]) => {
  expect(findings('recurrence', config)).toEqual(expected)
})

test.for([
  '',
  ' ',
  '* * * *',
  '0 0 * * * *',
  '60 * * * *',
  '* 24 * * *',
  '0 0 0 * *',
  '0 0 * 13 *',
  '5-1 * * * *',
  '*/0 * * * *',
  '0 0 L * *',
  '0 0 15W * *',
  '0 0 * * mon#2',
  '@reboot',
  '0 0 30 2 *',
])('the pattern "%s" refuses publishing with a reason', (pattern) => {
  const found = recurrence.check(cron(pattern))
  expect(found).toEqual([expect.objectContaining({ severity: 'block', path: 'cron' })])
  expect(found[0]?.message.length).toBeGreaterThan(8)
})

test('omitted settings have their defaults, and the schedule can be read from the rest', () => {
  const read = recurrence.read(every(6, 'hours'))
  expect(read).toMatchObject({
    ok: true,
    value: { timezone: 'UTC', overlap: 'allow', catchUp: 'latest', cron: null },
  })
  expect(read.ok && readSchedule(read.value).ok).toBe(true)
})
