import { expect, test } from 'vitest'
import { citedParts } from './cited-parts.ts'

const KNOWN = new Set([1, 2, 12])

test.each([
  ['Refunds take five days [1].', ['Refunds take five days ', [1], '.']],
  ['[1][2] both', [[1], [2], ' both']],
  ['both [1, 2]', ['both ', [1, 2]]],
  ['[12]', [[12]]],
  ['twice [1, 1, 2]', ['twice ', [1, 2]]],
])('%s names its passages', (text, parts) => {
  expect(citedParts(text, KNOWN)).toEqual(parts)
})

test.each([
  '',
  'a[0] = 1',
  'see [3]',
  'one known, one not [1, 3]',
  'a date [2026]',
  '[1',
  '[ 1 ]',
  '[1,]',
])('brackets without known passages stay text: %s', (text) => {
  expect(citedParts(text, KNOWN)).toEqual([text])
})

test('without passages there is nothing to cite', () => {
  expect(citedParts('A list [1].', new Set())).toEqual(['A list [1].'])
})
