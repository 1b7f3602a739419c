import { expect, test } from 'vitest'
import { asSentence } from './sentence.ts'

test.for([
  ['must not be blank', 'Must not be blank.'],
  ['must be one of "a", "b"', 'Must be one of "a", "b".'],
  ['Say why you reject it.', 'Say why you reject it.'],
  ['', null],
  [null, null],
] as const)('%s is shown as %s', ([message, sentence]) => {
  expect(asSentence(message)).toBe(sentence)
})
