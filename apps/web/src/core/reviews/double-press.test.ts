import { expect, test } from 'vitest'
import { isDoublePress, PAUSE_MS, shownAt } from './double-press.ts'

const next = { id: 'next', shownAtMs: null }

test('what a decision has brought up takes none at once, and one after it could be read', () => {
  const shown = shownAt(next, 'next', 1_000)
  expect(isDoublePress(next, 'next', 1_200)).toBe(true)
  expect(isDoublePress(shown, 'next', 1_200)).toBe(true)
  expect(isDoublePress(shown, 'next', 1_000 + PAUSE_MS)).toBe(false)
})

test('shown anew, it takes none in what is left of its time, and one when it is opened again later', () => {
  const again = shownAt(shownAt(next, 'next', 1_000), 'next', 1_300)
  expect(isDoublePress(again, 'next', 999 + PAUSE_MS)).toBe(true)
  expect(isDoublePress(again, 'next', 1_000 + PAUSE_MS)).toBe(false)
})

test('what somebody has opened takes a decision at once', () => {
  expect(isDoublePress(null, 'next', 1_001)).toBe(false)
  expect(shownAt(next, 'another', 1_000)).toBe(next)
  expect(isDoublePress(next, 'another', 1_001)).toBe(false)
})
