import { expect, test } from 'vitest'
import { compilePattern } from './linear-pattern.ts'
import { patternSize } from './pattern-size.ts'

test.for<[string, number]>([
  ['', 0],
  ['abc', 3],
  ['a{3}', 3],
  ['(ab){3}', 6],
  ['((ab){3}c){2}', 14],
  ['a{2,5}', 5],
  ['a{2,}', 2],
  ['[a-z{9}]{4}', 4],
  ['[]a]{2}', 2],
  ['\\({2}', 2],
  ['a{b}', 4],
  ['(a', 1],
  ['a)', 1],
  ['x{0}', 1],
])('%s has %i steps', ([source, steps]) => {
  expect(patternSize(source)).toBe(steps)
})

// Measures durations, which a busy machine stretches.
test('a pattern that takes long to compile is refused at once', { retry: 2 }, () => {
  const started = performance.now()
  for (const source of ['x{0,1000}'.repeat(200), '(((x{9}){9}){9}){9}', 'x'.repeat(2_001)]) {
    expect(compilePattern(source)).toMatchObject({ ok: false })
  }
  expect(performance.now() - started).toBeLessThan(1_000)
})

test('a pattern finds a part or matches the whole', () => {
  const pattern = compilePattern('[A-Z]{2}-\\d+')
  if (!pattern.ok) throw new Error(pattern.message)
  expect(pattern.find('xAB-12')).toBe(true)
  expect(pattern.matchWhole('xAB-12')).toBe(false)
  expect(pattern.matchWhole('AB-12')).toBe(true)
})

test('the reason of a bad pattern is told', () => {
  expect(compilePattern('a**')).toEqual({
    ok: false,
    message: 'is no regular expression: invalid nested repetition operator: `**`',
  })
})
