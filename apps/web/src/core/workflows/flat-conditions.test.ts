import { expect, test } from 'vitest'
import { isFlatConditions } from './flat-conditions.ts'

const compared = { left: '{{ trigger.n }}', op: 'gt', right: 3 }

test('comparisons of texts and numbers are flat, also one that is not filled in yet', () => {
  expect(isFlatConditions([])).toBe(true)
  expect(isFlatConditions([compared, {}, { left: 'a', op: 'is_true' }])).toBe(true)
})

test('a group among them, and a side that is an object, are not', () => {
  expect(isFlatConditions([compared, { match: 'any', conditions: [compared] }])).toBe(false)
  expect(isFlatConditions([{ conditions: null }])).toBe(false)
  expect(isFlatConditions([{ ...compared, right: [1] }])).toBe(false)
  expect(isFlatConditions({ match: 'all', conditions: [compared] })).toBe(false)
})
