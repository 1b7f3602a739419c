import { expect, test } from 'vitest'
import { wordRecall } from './word-recall.ts'

test.for([
  ['one two three four', 'four three two one', 1],
  ['one two three four', 'one two', 0.5],
  ['a a a a', 'a', 0.25],
  ['', 'anything', 1],
  ['words', '', 0],
  // A line that ends within a word, a ligature, a half-width letter.
  ['hyphen-\nated of\ufb01ce \uff76', 'hyphenated office カ', 1],
  ['日本語', '日 本', 2 / 3],
] as const)('of %j, %j has %d', ([expected, found, recall]) => {
  expect(wordRecall(expected, found)).toBeCloseTo(recall)
})
