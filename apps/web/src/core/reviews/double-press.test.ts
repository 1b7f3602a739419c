import { expect, test } from 'vitest'
import { isDoublePress, PAUSE_MS } from './double-press.ts'

const at = (pressedAtMs: number, shownAtMs: number | null = 1_000) => ({ shownAtMs, pressedAtMs })

test('what a decision has brought up takes none at once, and one after it could be read', () => {
  expect(isDoublePress({ isNext: true, ...at(1_200) })).toBe(true)
  expect(isDoublePress({ isNext: true, ...at(1_200, null) })).toBe(true)
  expect(isDoublePress({ isNext: true, ...at(1_000 + PAUSE_MS) })).toBe(false)
})

test('what somebody has opened takes a decision at once', () => {
  expect(isDoublePress({ isNext: false, ...at(1_001) })).toBe(false)
})
