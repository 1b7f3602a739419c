import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type AskedWord, bytesOfWords, passageWords, WordSearch } from './passage-words.ts'

const halves = (hash: bigint) => [Number(BigInt.asIntN(32, hash >> 32n)), Number(BigInt.asIntN(32, hash))]
const passage = (id: string, hashes: readonly bigint[]) => ({
  id,
  hashes: Int32Array.from(hashes.flatMap(halves)),
})
const asked = (word: string, ...hashes: bigint[]): AskedWord => ({
  word,
  gain: 1,
  hashes: hashes.map(String),
})
const found = (words: readonly AskedWord[], passages: readonly ReturnType<typeof passage>[], most = 100) => {
  const search = new WordSearch(words, most)
  search.look(passageWords(passages))
  return search.found.map(({ word, ids, isCut }) => [word, ids.toSorted(), isCut])
}

test('a word is found by its whole hash, not by a half of it', () => {
  const same = 5n
  const hashes = [(1n << 32n) | same, (2n << 32n) | same, -1n, 1n << 32n]
  const passages = hashes.map((hash, at) => passage(`p${at}`, [hash]))
  expect(hashes.map((hash) => found([asked('word', hash)], passages))).toEqual(
    hashes.map((_, at) => [['word', [`p${at}`], false]]),
  )
})

test('a list is truncated after one passage more than the maximum', () => {
  const passages = Array.from({ length: 5 }, (_, at) => passage(`p${at}`, [7n]))
  expect(found([asked('word', 7n)], passages, 5)).toEqual([['word', ['p0', 'p1', 'p2', 'p3', 'p4'], false]])
  expect(found([asked('word', 7n)], passages, 3)).toEqual([['word', ['p0', 'p1', 'p2', 'p3'], true]])
})

test('the memory that is estimated grows with the words', () => {
  const of = (count: number) =>
    bytesOfWords(
      passageWords([
        passage(
          'p',
          Array.from({ length: count }, (_, n) => BigInt(n)),
        ),
      ]),
    )
  expect(of(1_000) - of(0)).toBe(9_000)
})

const hash = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
/** Few values, so that words repeat, and halves that occur in several of them. */
const someHash = fc
  .tuple(fc.constantFrom(0n, 1n, -1n, 2n ** 31n), fc.constantFrom(0n, 1n, 65_536n, -1n))
  .map(([upper, lower]) => BigInt.asIntN(64, (upper << 32n) | BigInt.asUintN(32, lower)))

test('the passages of each word are those that have one of its hashes', () => {
  const passages = fc.array(fc.uniqueArray(fc.oneof(someHash, hash), { maxLength: 8 }), { maxLength: 8 })
  const words = fc.array(fc.uniqueArray(someHash, { minLength: 1, maxLength: 3 }), { maxLength: 6 })
  fc.assert(
    fc.property(passages, words, (all, questions) => {
      const expected = questions.flatMap((hashes, at) => {
        const ids = all.flatMap((has, n) => has.filter((one) => hashes.includes(one)).map(() => `p${n}`))
        return ids.length === 0 ? [] : [[`w${at}`, ids.toSorted(), false]]
      })
      const given = all.map((hashes, n) => passage(`p${n}`, hashes))
      expect(
        found(
          questions.map((hashes, at) => asked(`w${at}`, ...hashes)),
          given,
        ),
      ).toEqual(expected)
    }),
  )
})
