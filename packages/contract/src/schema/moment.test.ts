import { expect, test } from 'vitest'
import { momentOf } from './moment.ts'

test('a time in any offset is one moment', () => {
  expect(momentOf('2026-01-01T02:00:00+02:00')?.toISOString()).toBe('2026-01-01T00:00:00.000Z')
  expect(momentOf(0)?.toISOString()).toBe('1970-01-01T00:00:00.000Z')
})

test.for([
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00+01:00',
  '9999-12-31T23:59:59-23:59',
  '2026-01-01T00:00:60Z',
  'never',
  999_999_999_999_999,
  Number.NaN,
])('%s is not a time', (given) => {
  expect(momentOf(given)).toBeNull()
})
