import { expect, test } from 'vitest'
import { firstPart } from './first-part.ts'

test('a short text is shown completely', () => {
  expect(firstPart('a\nb', 1)).toBe('a\nb')
  expect(firstPart('', 1)).toBe('')
})

test('a long text is truncated by characters or lines, and each step shows more', () => {
  expect(firstPart('x'.repeat(100_000), 1)).toHaveLength(40_000)
  expect(firstPart('x'.repeat(100_000), 3)).toHaveLength(100_000)
  expect(firstPart('a\n'.repeat(5_000), 1)).toBe('a\n'.repeat(1_000))
})

test('a surrogate pair is not split', () => {
  expect(firstPart(`x${'😀'.repeat(40_000)}`, 1)).toHaveLength(39_999)
})
