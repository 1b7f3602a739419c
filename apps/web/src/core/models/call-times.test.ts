import { expect, test } from 'vitest'
import { callStretches, longestSilence } from './call-times.ts'

const LIMITS = { firstTokenMs: 20_000, idleMs: 30_000, callMs: 300_000 }

test('the stretches of a call follow each other from its start to its end', () => {
  const stretches = callStretches(LIMITS)
  expect(stretches.map(({ kind }) => kind)).toEqual(['first', 'idle', 'rest'])
  expect(stretches[0]?.from).toBe(0)
  expect(stretches.at(-1)?.to).toBe(1)
  expect(stretches.slice(1).map(({ from }) => from)).toEqual(stretches.slice(0, -1).map(({ to }) => to))
})

test('a call that ends before its first token may come has one stretch', () => {
  expect(callStretches({ ...LIMITS, callMs: 10_000 })).toEqual([{ kind: 'first', from: 0, to: 1 }])
})

test('every attempt of every model waits for its first token', () => {
  expect(longestSilence(LIMITS, 2, 3)).toBe(120_000)
})
