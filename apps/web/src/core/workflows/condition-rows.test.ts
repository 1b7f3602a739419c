import { OPERATORS } from '@troupe/contract'
import type { KnownToken } from '@troupe/editor/tokens/known-tokens'
import { expect, test } from 'vitest'
import { conditionRow, conditionsFault, operandType, operatorsFor, typedOperand } from './condition-rows.ts'

const compared = { left: '{{ trigger.n }}', op: 'gt', right: 3 }
const group = { match: 'any', conditions: [compared] }

test.each([
  ['a comparison', compared, 'comparison'],
  ['one that is not filled in', {}, 'comparison'],
  ['one with true', { left: true, op: 'eq', right: null }, 'comparison'],
  ['a group', group, 'group'],
  ['a group without a match', { conditions: [] }, 'group'],
  ['a list as a side', { ...compared, right: [1] }, 'json'],
  ['an operator that is no text', { ...compared, op: 4 }, 'json'],
  ['a group whose conditions are none', { conditions: null }, 'json'],
  ['a group whose match is no text', { match: 1, conditions: [] }, 'json'],
  ['a text', 'x', 'json'],
  ['nothing', null, 'json'],
])('%s is edited with its type', (_name, entry, kind) => {
  expect(conditionRow(entry, 1).kind).toBe(kind)
})

test('a group that the server refuses as too deep is JSON', () => {
  expect([1, 2, 3].map((depth) => conditionRow(group, depth).kind)).toEqual(['group', 'group', 'json'])
})

test('only non-lists and very long lists have no fields at all', () => {
  expect(conditionsFault([compared, group, 7])).toBeNull()
  expect(conditionsFault(group)).toBe('not-a-list')
  const many = Array.from({ length: 20 }, () => ({ conditions: Array.from({ length: 20 }, () => compared) }))
  expect(conditionsFault(many)).toBe('too-many')
})

const TOKENS: KnownToken[] = ['string', 'integer', 'boolean', 'array', 'object', null].map((type) => ({
  path: `trigger.${type}`,
  source: 'trigger',
  stepName: null,
  type,
}))

test('a side has the type of its one token, or of its value', () => {
  expect(operandType('{{ trigger.integer }}', TOKENS)).toBe('integer')
  expect(operandType(' {{trigger.boolean}} ', TOKENS)).toBe('boolean')
  expect(operandType(4, TOKENS)).toBe('number')
  for (const side of [
    '{{ trigger.integer }}!',
    '{{ trigger.unknown }}',
    '{{',
    'integer',
    undefined,
    null,
    {},
  ])
    expect(operandType(side, TOKENS)).toBeNull()
})

test('the operators are those for the type, and the stored one', () => {
  expect(operatorsFor(null, 'eq')).toEqual(OPERATORS)
  expect(operatorsFor('boolean', 'eq')).not.toContain('gt')
  expect(operatorsFor('boolean', 'gt')).toContain('gt')
  expect(operatorsFor('number', null)).not.toContain('starts_with')
  expect(operatorsFor('string', null)).toEqual(OPERATORS.filter((one) => !/^is_(true|false)$/.test(one)))
  expect(operatorsFor('array', null)).toContain('contains')
  expect(operatorsFor('__proto__', null)).toEqual(OPERATORS)
})

test('an entered side is stored with the required type', () => {
  expect(typedOperand('number', '5.50')).toBe(5.5)
  expect(typedOperand('number', '{{ trigger.n }}')).toBe('{{ trigger.n }}')
  expect(typedOperand('boolean', 'true')).toBe(true)
  expect(typedOperand(null, '5')).toBe('5')
  expect(typedOperand('number', '   ')).toBe('   ')
  expect(typedOperand('string', '')).toBeUndefined()
})
