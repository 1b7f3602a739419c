import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type DiffLine, lineDiff, withoutSame, wordDiff } from './line-diff.ts'

const side = (lines: readonly DiffLine[], other: 'added' | 'removed') =>
  lines.filter(({ kind }) => kind !== other).map(({ text }) => text)

test('removed and added lines are named, in the order of the text', () => {
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
  const text = fc
    .array(fc.constantFrom('a', 'b', 'be', ',', '.', ' ', '  ', '\n'), { maxLength: 16 })
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(text, text, (before, after) => {
      const words = wordDiff(before, after)
      expect(side(words, 'added').join('')).toBe(before)
      expect(side(words, 'removed').join('')).toBe(after)
      expect(words.map((one) => one.text)).not.toContain('')
    }),
  )
})

test.each([
  // Adjacent words are one change: the spaces between them align nothing else.
  ['refund the whole amount.', 'refund half of the amount.', 'refund +half +of the -whole amount.'],
  ['Answer shortly', 'Answer shortly and kindly', 'Answer shortly+ +and +kindly'],
  ['Be brief, please.', 'Be very brief.', 'Be +very brief-, -please.'],
  ['one two', 'one\ntwo', 'one- +\ntwo'],
  [' one', 'one', '- one'],
])('the words of %j and %j are compared as a reader would', (before, after, told) => {
  const sign = { same: '', added: '+', removed: '-' }
  expect(
    wordDiff(before, after)
      .map(({ kind, text }) => sign[kind] + text)
      .join(''),
  ).toBe(told)
})

test('long equal parts are omitted, with their length', () => {
  const lines = lineDiff('1\n2\n3\n4\n5', '1\n2\n3\n4\nx')
  expect(withoutSame(lines, 1)[0]).toEqual({ kind: 'gap', lines: 3 })
})

test('a few changes are named however long the texts are and however far apart the changes', () => {
  const before = Array.from({ length: 10_000 }, (_, index) => `line ${index}`)
  const after = before.with(1, 'second').with(9_990, 'last')
  expect(lineDiff(before.join('\n'), after.join('\n')).filter(({ kind }) => kind !== 'same')).toEqual([
    { kind: 'removed', text: 'line 1' },
    { kind: 'added', text: 'second' },
    { kind: 'removed', text: 'line 9990' },
    { kind: 'added', text: 'last' },
  ])
})

test('texts with very many changes are replaced as a whole, but for their start and end', () => {
  const many = (letter: string) => Array.from({ length: 3_000 }, (_, index) => `${letter}${index}`).join('\n')
  const lines = lineDiff(`same\n${many('a')}\nend`, `same\n${many('b')}\nend`)
  expect(lines).toHaveLength(6_002)
  expect(lines.filter(({ kind }) => kind === 'same').map(({ text }) => text)).toEqual(['same', 'end'])
})
