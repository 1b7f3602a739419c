import { expect, test } from 'vitest'
import { authorFirst, authorName } from './author-name.ts'

const author = (kind: string, name: string | null = null) => ({ kind, name, id: 'a' })

test.for([
  ['user', 'a former member'],
  ['api_key', 'an API key'],
  ['operator', 'the operator'],
  ['system', 'the system'],
  ['robot', 'somebody'],
] as const)('an author of the kind %s without a name is %s', ([kind, words]) => {
  expect(authorName(author(kind))).toBe(words)
})

test('an author is called by name, the reader “you”, and an unknown one “somebody”', () => {
  expect(authorName(author('user', 'Ada'))).toBe('Ada')
  expect(authorName(author('user', 'Ada'), 'a')).toBe('you')
  expect(authorName(null, 'a')).toBe('somebody')
})

test('only words begin with a capital letter, names stay as they are', () => {
  expect(authorFirst(author('system'))).toBe('The system')
  expect(authorFirst(author('user', 'danah'))).toBe('danah')
})
