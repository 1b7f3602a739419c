import { expect, test } from 'vitest'
import { isSameWords } from './same-words.ts'

test('spaces that a page does not show make no difference', () => {
  expect(isSameWords('My flow', '  My \u00a0 flow\n')).toBe(true)
  expect(isSameWords('Myflow', 'My flow')).toBe(false)
  expect(isSameWords('my flow', 'My flow')).toBe(false)
})
