import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tokensOf } from '../chain/tokens.ts'
import type { HistoryRun } from '../ports/session-state.ts'
import { overflow } from './summarise-session.ts'

const run = fc.record({ input: fc.string({ maxLength: 400 }), content: fc.string({ maxLength: 400 }) })
const bytes = (runs: readonly HistoryRun[]) =>
  runs.reduce((sum, one) => sum + Buffer.byteLength(one.input + (one.content ?? '')), 0)

test('the oldest part is summarised, and the rest is at most half of the trigger', () => {
  fc.assert(
    fc.property(fc.array(run, { maxLength: 30 }), fc.integer({ min: 10, max: 1_000 }), (texts, trigger) => {
      const history = texts.map(
        (text, index): HistoryRun => ({ ...text, seq: index + 1, status: 'completed', answeredBy: null }),
      )
      const old = overflow(history, trigger)
      expect(old).toEqual(history.slice(0, old.length))
      if (tokensOf(bytes(history)) <= trigger) expect(old).toEqual([])
      else expect(tokensOf(bytes(history.slice(old.length)))).toBeLessThanOrEqual(trigger / 2)
    }),
  )
})

test('a summary ends before the oldest run that is still in flight', () => {
  const text = 'x'.repeat(1_000)
  const history = [1, 2, 4, 5, 6].map(
    (seq): HistoryRun => ({ seq, status: 'completed', input: text, content: text, answeredBy: null }),
  )
  expect(overflow(history, 100, 3).map(({ seq }) => seq)).toEqual([1, 2])
  expect(overflow(history.slice(1), 100, 1)).toEqual([])
  expect(overflow(history, 100, 9)).toEqual(overflow(history, 100))
})
