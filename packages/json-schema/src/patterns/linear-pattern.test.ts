import { expect, test } from 'vitest'
import { compilePattern, patternFault } from './linear-pattern.ts'
import { MatchBudget, PatternTooCostly } from './match-budget.ts'
import { scanPattern } from './pattern-size.ts'

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
  expect(scanPattern(source).size).toBe(steps)
})

test('a pattern that takes long to compile is refused immediately', () => {
  const started = process.threadCpuUsage()
  for (const source of ['x{0,1000}'.repeat(200), '(((x{9}){9}){9}){9}', 'x'.repeat(2_001)]) {
    expect(compilePattern(source)).toMatchObject({ ok: false })
  }
  expect(process.threadCpuUsage(started).user / 1_000).toBeLessThan(1_000)
})

test('a pattern finds a part or matches the whole', () => {
  const pattern = compilePattern('[A-Z]{2}-\\d+')
  if (!pattern.ok) throw new Error(pattern.message)
  expect(pattern.find('xAB-12')).toBe(true)
  expect(pattern.matchWhole('xAB-12')).toBe(false)
  expect(pattern.matchWhole('AB-12')).toBe(true)
})

test('the reason for a bad pattern is reported', () => {
  expect(compilePattern('a**')).toEqual({
    ok: false,
    message: 'is not a valid regular expression: invalid nested repetition operator: `**`',
  })
})

test.for<[string, string]>([
  ['.{1,500}\\.pdf$', '.pdf '.repeat(180_000)],
  ['.{0,900}.{0,900}b$', 'ab'.repeat(50_000)],
  ['[ab]*a[ab]{300}c', Array.from({ length: 900_000 }, (_, at) => ((at * at) % 7 < 3 ? 'a' : 'b')).join('')],
  ['(x+x+)+y', 'x'.repeat(900_000)],
  ['\\pL{1,100}-$', 'äé'.repeat(450_000)],
])('the pattern %s is found, or refused, within 2 seconds', ([source, text]) => {
  const pattern = compilePattern(source)
  if (!pattern.ok) throw new Error(pattern.message)
  for (const search of [pattern.find, pattern.matchWhole]) {
    const started = process.threadCpuUsage()
    try {
      search(text)
    } catch (error) {
      expect(error).toBeInstanceOf(PatternTooCostly)
    }
    expect(process.threadCpuUsage(started).user / 1_000).toBeLessThan(2_000)
  }
})

test('a long text and a pattern of 300 steps have an answer', () => {
  const pattern = compilePattern('.{1,300}\\.pdf$')
  if (!pattern.ok) throw new Error(pattern.message)
  expect(pattern.find('.pdf '.repeat(180_000))).toBe(false)
  expect(pattern.find(`${'.pdf '.repeat(180_000)}x.pdf`)).toBe(true)
})

test('the patterns of one check share a budget', () => {
  const budget = new MatchBudget()
  const pattern = compilePattern('.{1,300}\\.pdf$')
  if (!pattern.ok) throw new Error(pattern.message)
  pattern.find('.pdf '.repeat(1_000), budget)
  expect(() => {
    for (let again = 0; again < 100; again += 1) pattern.find('x.pdf '.repeat(10_000), budget)
  }).toThrow(PatternTooCostly)
})

test('counts are omitted when only the syntax is looked at', () => {
  expect(scanPattern('a{3}[{9}]\\{9}(b{2,}){4}').withoutCounts).toBe('a{1}[{9}]\\{9}(b{1}){1}')
  expect(patternFault('\\pL'.repeat(600))).toContain('steps')
  expect(patternFault('a{2}{3}')).toContain('is not a valid regular expression')
})
