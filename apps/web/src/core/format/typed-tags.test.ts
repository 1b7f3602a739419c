import { expect, test } from 'vitest'
import { isPasteCut, takenTags, withPasted } from './typed-tags.ts'

test('texts are separated by commas and line ends', () => {
  expect(takenTags(' a, b\nc,, ', false, false)).toEqual({ added: ['a', 'b', 'c'], rest: '' })
  expect(takenTags('  ', false, true)).toEqual({ added: [], rest: '' })
})

test('a verbatim text is taken as it is typed', () => {
  expect(takenTags(' a, b', true, true)).toEqual({ added: [' a, b'], rest: '' })
  expect(takenTags('\\n', true, true)).toEqual({ added: ['\n'], rest: '' })
  expect(takenTags('', true, false)).toEqual({ added: [], rest: '' })
})

test('spaces alone are a verbatim text only by Enter', () => {
  expect(takenTags('  ', true, true)).toEqual({ added: [], rest: '  ' })
  expect(takenTags('  ', true, false)).toEqual({ added: ['  '], rest: '' })
})

test.for([
  [{ start: 4, end: 4 }, 'abcdX', 5],
  [{ start: 0, end: 0 }, 'Xabcd', 1],
  [{ start: 1, end: 3 }, 'aXd', 2],
  [{ start: 0, end: 4 }, 'X', 1],
] as const)('a pasted text replaces the selection: %o', ([selected, text, caret]) => {
  expect(withPasted('abcd', selected, 'X')).toEqual({ text, caret })
})

test('a pasted text is truncated to the remaining space', () => {
  const end = { start: 4, end: 4 }
  expect(isPasteCut('desk', end, ' two', 8)).toBe(false)
  expect(isPasteCut('desk', end, ' three', 8)).toBe(true)
  expect(isPasteCut('desk', { start: 0, end: 4 }, 'long desk', 8)).toBe(true)
  expect(isPasteCut('desk', { start: 0, end: 4 }, 'my desks', 8)).toBe(false)
  expect(isPasteCut('desk', end, 'x'.repeat(1_000), undefined)).toBe(false)
})
