import { expect, test } from 'vitest'
import { shortId } from './short-id.ts'

test('a generated id is shown by its beginning', () => {
  expect(shortId('01a22c2f-7b96-7a56-9acc-402d8d32431a')).toBe('01a22c2f-7b96…')
})

test('the ids of callers are shown as they are, also those that only begin with a generated one', () => {
  expect(shortId('ana@acme.test')).toBe('ana@acme.test')
  expect(shortId('01a22c2f-7b96-7a56-9acc-402d8d32431a/2')).toBe('01a22c2f-7b96-7a56-9acc-402d8d32431a/2')
})
