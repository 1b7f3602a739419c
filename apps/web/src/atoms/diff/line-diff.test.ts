import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type DiffLine, lineDiff, withoutSame, wordDiff } from './line-diff.ts'

const side = (lines: readonly DiffLine[], other: 'added' | 'removed') =>
  lines.filter(({ kind }) => kind !== other).map(({ text }) => text)

test('what was removed and added is named, in the order of the text', () => {
  expect(lineDiff('a\nb\nc', 'a\nx\nc').map(({ kind, text }) => `${kind} ${text}`)).toEqual([
    'same a',
    'removed b',
    'added x',
    'same c',
  ])
})

test('both texts are in every comparison, whole', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 })
    .map((lines) => lines.join('\n'))
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = lineDiff(before, after)
      expect(side(lines, 'added').join('\n')).toBe(before)
      expect(side(lines, 'removed').join('\n')).toBe(after)
    }),
  )
})

test('words are compared, and joined again they are the texts', () => {
  const words = wordDiff('Be brief, please.', 'Be very brief.')
  expect(side(words, 'added').join('')).toBe('Be brief, please.')
  expect(side(words, 'removed').join('')).toBe('Be very brief.')
  expect(words.filter(({ kind }) => kind === 'added').map(({ text }) => text.trim())).toContain('very')
})

test('long equal parts are left out, with their length', () => {
  const lines = lineDiff('1\n2\n3\n4\n5', '1\n2\n3\n4\nx')
  expect(withoutSame(lines, 1)[0]).toEqual({ kind: 'gap', lines: 3 })
})

test('texts too large for the table are replaced as a whole', () => {
  const many = (letter: string) => Array.from({ length: 3_000 }, (_, index) => `${letter}${index}`).join('\n')
  expect(lineDiff(many('a'), many('b'))).toHaveLength(6_000)
})
