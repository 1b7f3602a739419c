import { expect, test } from 'vitest'
import { spanWithin } from './time-span.ts'

test.for([
  ['in the middle', 250, 500, { start: 0.25, length: 0.5 }],
  ['not ended', 750, null, { start: 0.75, length: 0.25 }],
  ['beyond the end', 900, 200, { start: 0.8, length: 0.2 }],
  ['after the end', 1_400, 100, { start: 0.9, length: 0.1 }],
  ['longer than the whole', 10, 5_000, { start: 0, length: 1 }],
  ['before the beginning', -20, 100, { start: 0, length: 0.1 }],
  ['not ended, after the end', 1_400, null, { start: 1, length: 0 }],
] as const)('a step %s is drawn within its run', ([, startMs, durationMs, span]) => {
  const found = spanWithin(1_000, startMs, durationMs)
  expect(found.start).toBeCloseTo(span.start)
  expect(found.length).toBeCloseTo(span.length)
})
