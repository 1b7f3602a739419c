import { expect, test } from 'vitest'
import { approvalSentence, readApproval, storedApproval } from './approval-rule.ts'

test('a rule is shown in words', () => {
  const sentence = (stored: unknown) => approvalSentence(readApproval(stored))
  expect(sentence(undefined)).toBe('Runs without approval')
  expect(sentence('always')).toBe('Always ask')
  expect(sentence({ field: 'amount', op: 'gt', value: 100 })).toBe('Asks when amount is more than 100')
  expect(sentence({ field: 'note', op: 'exists' })).toBe('Asks when note is given')
  expect(sentence({ field: 'note', op: 'eq', value: '' })).toBe('Asks when note is “”')
  expect(sentence({ field: '', op: 'gt', value: '' })).toBe('Ask when…')
})

test.for([
  ['100', 100],
  ['-2.5', -2.5],
  ['true', true],
  ['007x', '007x'],
  ['007', '007'],
  ['-0.5', -0.5],
  ['100.05', 100.05],
  ['"100"', '100'],
  ['"', '"'],
  ['', ''],
])('the value "%s" is stored with its type', ([text, value]) => {
  expect(storedApproval({ kind: 'condition', field: 'a', op: 'eq', value: String(text) })).toEqual({
    field: 'a',
    op: 'eq',
    value,
  })
})

test('a loaded rule is stored unchanged', () => {
  for (const stored of [
    'always',
    { field: 'a', op: 'lt', value: 3 },
    { field: 'a', op: 'is_true' },
    { field: 'a', op: 'eq', value: '100' },
    { field: 'a', op: 'eq', value: '"100"' },
    { field: 'a', op: 'eq', value: 'null' },
  ]) {
    expect(storedApproval(readApproval(stored))).toEqual(stored)
  }
})
