import { expect, test } from 'vitest'
import { byteSize, compactNumber, counted, money, percent, wholeNumber } from './numbers.ts'
import { duration, fullTime, relativeTime, shortDate } from './times.ts'

const NOW = Date.UTC(2026, 10, 22, 14, 0)

test.for([
  [NOW / 1_000 - 20, 'just now'],
  [NOW / 1_000 + 2, 'just now'],
  [NOW / 1_000 + 30, 'in a moment'],
  [NOW / 1_000 - 190, '3 minutes ago'],
  [NOW / 1_000 - 86_400, 'yesterday'],
  ['2026-11-24T14:00:00Z', 'in 2 days'],
  ['nonsense', '–'],
])('the time %s is shown as "%s"', ([moment, words]) => {
  expect(relativeTime(moment ?? '', NOW)).toBe(words)
})

test.for([
  ['2026-11-23T23:30:00Z', '2026-11-25T01:00:00Z', 'UTC', '2 days ago'],
  ['2026-11-24T00:30:00Z', '2026-11-25T01:00:00Z', 'UTC', 'yesterday'],
  // The same two moments are on Monday and Tuesday in New York.
  ['2026-11-23T23:30:00Z', '2026-11-25T01:00:00Z', 'America/New_York', 'yesterday'],
  ['2026-11-27T03:00:00Z', '2026-11-25T23:00:00Z', 'UTC', 'in 2 days'],
  ['2026-11-26T23:30:00Z', '2026-11-25T23:00:00Z', 'UTC', 'tomorrow'],
  ['2026-11-16T09:00:00Z', '2026-11-25T08:00:00Z', 'UTC', '1 week ago'],
  ['2026-10-20T09:00:00Z', '2026-11-25T08:00:00Z', 'UTC', '1 month ago'],
] as const)('%s, seen at %s in %s, is "%s"', ([moment, now, zone, words]) => {
  expect(relativeTime(moment, Date.parse(now), 'en', zone)).toBe(words)
})

test('dates name the year only when it is another one', () => {
  expect(shortDate('2026-05-03T10:00:00Z', NOW, 'en-GB', 'UTC')).toBe('3 May')
  expect(shortDate('2025-05-03T10:00:00Z', NOW, 'en-GB', 'UTC')).toBe('3 May 2025')
  expect(fullTime('2026-05-03T10:00:09Z', 'en-GB', 'UTC')).toBe('3 May 2026, 10:00:09')
})

test.for([
  [0, '0 ms'],
  [840, '840 ms'],
  [3_240, '3.2 s'],
  [59_960, '1 min'],
  [252_000, '4 min 12 s'],
  [7_500_000, '2 h 5 min'],
] as const)('%i ms are "%s"', ([ms, words]) => {
  expect(duration(ms)).toBe(words)
})

test('money keeps the digits that matter, and an unknown price is not a price', () => {
  expect([money(1204.5), money(0.0031), money(0), money(null)]).toEqual([
    '$1,204.50',
    '$0.0031',
    '$0.00',
    '–',
  ])
})

test('numbers', () => {
  expect(wholeNumber(12_480)).toBe('12,480')
  expect(compactNumber(12_480)).toBe('12.5K')
  expect(percent(0.421)).toBe('42%')
  expect(byteSize(1_234_000)).toBe('1.2 MB')
  expect(byteSize(1)).toBe('1 byte')
  expect([counted(1, 'run', 'runs'), counted(1_200, 'run', 'runs')]).toEqual(['1 run', '1,200 runs'])
})
