import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rankByWords } from './rank-by-words.ts'

const entry = (word: string, ids: readonly string[], more: { gain?: number; isCut?: boolean } = {}) => ({
  word,
  gain: 1,
  isCut: false,
  ids,
  ...more,
})
const all = { passages: 100, limit: 40 }

test('a passage with a rare word comes before one with a frequent word, and one with both before either', () => {
  const often = Array.from({ length: 30 }, (_, n) => `often-${n}`)
  const ranked = rankByWords([entry('common', ['both', ...often]), entry('rare', ['both', 'rare'])], all)
  expect(ranked.slice(0, 2)).toEqual(['both', 'rare'])
  expect(ranked).toHaveLength(32)
})

test('a passage that repeats a word comes before one that has it once', () => {
  const entries = [entry('word', ['a', 'b', 'c']), entry('word', ['c'], { gain: 0.4 })]
  expect(rankByWords(entries, all)).toEqual(['c', 'a', 'b'])
})

test('a word with truncated entries counts only if the others find too few passages', () => {
  const entries = [entry('the', ['a', 'b', 'c'], { isCut: true }), entry('rare', ['b', 'd'])]
  expect(rankByWords(entries, { passages: 100, limit: 2 })).toEqual(['b', 'd'])
  expect(rankByWords(entries, { passages: 100, limit: 4 })).toEqual(['b', 'd', 'a', 'c'])
})

test('a word that occurs in every passage still finds them', () => {
  expect(rankByWords([entry('all', ['b', 'a'])], { passages: 2, limit: 5 })).toEqual(['a', 'b'])
  expect(rankByWords([], all)).toEqual([])
})

const words = fc.array(
  fc.record({
    word: fc.constantFrom('a', 'b', 'c'),
    gain: fc.constantFrom(1, 0.4),
    isCut: fc.boolean(),
    ids: fc.uniqueArray(fc.integer({ min: 0, max: 30 }).map(String)),
  }),
)

test('the order of the words makes no difference', () => {
  fc.assert(
    fc.property(words, fc.integer({ min: 1, max: 20 }), (entries, limit) => {
      const unlike = [...new Map(entries.map((one) => [`${one.word} ${one.gain}`, one])).values()]
      const asked = { passages: 31, limit }
      expect(rankByWords(unlike.toReversed(), asked)).toEqual(rankByWords(unlike, asked))
    }),
  )
})

test('no passage is repeated or invented, and there are at most as many as the limit', () => {
  fc.assert(
    fc.property(words, fc.integer({ min: 1, max: 20 }), (entries, limit) => {
      const ranked = rankByWords(entries, { passages: 31, limit })
      const known = new Set(entries.flatMap(({ ids }) => ids))
      expect(new Set(ranked).size).toBe(ranked.length)
      expect(ranked.every((id) => known.has(id))).toBe(true)
      expect(ranked).toHaveLength(Math.min(limit, known.size))
    }),
  )
})
