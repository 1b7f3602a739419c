import { expect, test } from 'vitest'
import { isDoublePress, PAUSE_MS, shownAt } from './double-press.ts'

const next = { id: 'next', shownAtMs: null }

test('a review opened by a decision accepts none immediately, and one once it is readable', () => {
  const shown = shownAt(next, 'next', 1_000)
  expect(isDoublePress(next, 'next', 1_200)).toBe(true)
  expect(isDoublePress(shown, 'next', 1_200)).toBe(true)
  expect(isDoublePress(shown, 'next', 1_000 + PAUSE_MS)).toBe(false)
})

test('rerendered, it accepts none in its remaining time, and one when it is reopened later', () => {
  const again = shownAt(shownAt(next, 'next', 1_000), 'next', 1_300)
  expect(isDoublePress(again, 'next', 999 + PAUSE_MS)).toBe(true)
  expect(isDoublePress(again, 'next', 1_000 + PAUSE_MS)).toBe(false)
})

test('a review opened by the user accepts a decision immediately', () => {
  expect(isDoublePress(null, 'next', 1_001)).toBe(false)
  expect(shownAt(next, 'another', 1_000)).toBe(next)
  expect(isDoublePress(next, 'another', 1_001)).toBe(false)
})
