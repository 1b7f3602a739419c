import { expect, test } from 'vitest'
import { nextPath, signInPath } from './next-path.ts'

test.each(['/reviews', '/reviews/5?token=a%20b', '/forms/x?name=a&b=c', '/'])('%s is kept', (path) => {
  expect(nextPath(path)).toBe(path)
})

test.each([
  undefined,
  ['/reviews', '/x'],
  '',
  'reviews',
  'https://evil.test/',
  'javascript:alert(1)',
  '//evil.test/x',
  '/\\evil.test/x',
  '/\t/evil.test',
  '/x/..//evil.test',
  '/.//evil.test',
  '/x\r\nset-cookie: a=b',
  `/${'x'.repeat(3_000)}`,
])('%j leads to the start page', (path) => {
  expect(nextPath(path)).toBe('/')
})

test('the path of the sign-in page carries the path as one value', () => {
  expect(signInPath('/reviews/5?token=a&x=y')).toBe('/sign-in?next=%2Freviews%2F5%3Ftoken%3Da%26x%3Dy')
  expect(signInPath('//evil.test')).toBe('/sign-in')
})
