import { expect, test } from 'vitest'
import { LAST_MOMENT, momentOf } from '../../schema/moment.ts'
import { successorEnd } from './successor-end.ts'

const createdAt = '2026-01-01T00:00:00Z'
const now = Date.parse('2026-03-01T00:00:00Z')

test('a successor has the lifetime of the key that it replaces', () => {
  expect(successorEnd({ createdAt, expiresAt: '2026-04-01T00:00:00Z' }, now)).toBe(
    Date.parse('2026-05-30T00:00:00Z'),
  )
  expect(successorEnd({ createdAt, expiresAt: null }, now)).toBeNull()
})

test('an end is never past the last moment that can be stored', () => {
  const end = successorEnd({ createdAt, expiresAt: '9999-12-31T00:00:00Z' }, now)
  expect(end).toBe(LAST_MOMENT)
  expect(momentOf(Number(end))).not.toBeNull()
  expect(momentOf(LAST_MOMENT + 1)).toBeNull()
})
