import { expect, test } from 'vitest'
import { dialString } from './dial-string.ts'
import { isQuiet, isTimeZone } from './quiet-hours.ts'

test.for([
  ['+442079460100', 'e164_plus', null, '+442079460100'],
  ['+442079460100', 'e164', 'GB', '442079460100'],
  ['+442079460100', 'national', 'GB', '02079460100'],
  ['+12025550123', 'national', 'US', '2025550123'],
  ['+442079460100', 'national', 'DE', '00442079460100'],
  ['+442079460100', 'national', 'US', '011442079460100'],
  // Without a country, the prefixes are unknown.
  ['+442079460100', 'national', null, '+442079460100'],
] as const)('%s as %s in %s is dialed %s', ([e164, format, country, dialed]) => {
  expect(dialString(e164, format, country)).toBe(dialed)
})

const at = (time: string) => Date.parse(`2026-11-22T${time}:00Z`)

test('quiet hours begin with their first minute and end before their last, including over midnight', () => {
  const night = { from: '21:00', to: '08:00', timezone: 'Europe/Berlin' }
  expect(isQuiet(night, at('19:59'))).toBe(false)
  expect(isQuiet(night, at('20:00'))).toBe(true)
  expect(isQuiet(night, at('23:30'))).toBe(true)
  expect(isQuiet(night, at('06:59'))).toBe(true)
  expect(isQuiet(night, at('07:00'))).toBe(false)
  const noon = { from: '12:00', to: '13:00', timezone: 'UTC' }
  expect([at('11:59'), at('12:00'), at('12:59'), at('13:00')].map((now) => isQuiet(noon, now))).toEqual([
    false,
    true,
    true,
    false,
  ])
  expect(isQuiet(null, at('03:00'))).toBe(false)
})

test('names of time zones are distinguished from other text', () => {
  expect(isTimeZone('America/New_York')).toBe(true)
  expect(isTimeZone('Middle/Earth')).toBe(false)
})
