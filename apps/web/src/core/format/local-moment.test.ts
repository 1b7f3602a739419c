import { expect, test } from 'vitest'
import { localMoment, momentOfLocal } from './local-moment.ts'

test('a moment is written on the reader’s clock, and read again', () => {
  const at = new Date(2026, 10, 23, 4, 5).getTime() / 1_000
  expect(localMoment(at)).toBe('2026-11-23T04:05')
  expect(momentOfLocal('2026-11-23T04:05')).toBe(at)
})

test('an invalid moment is null', () => {
  expect(localMoment(null)).toBe('')
  expect(momentOfLocal('')).toBeNull()
  expect(momentOfLocal('half typed')).toBeNull()
})
