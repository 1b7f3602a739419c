import { expect, test } from 'vitest'
import { type ValueType, valueAs, valueTypeOf } from './value-types.ts'

test('a value is edited with its type', () => {
  expect([null, undefined, 'a', '5', 5, false, [1], {}].map(valueTypeOf)).toEqual([
    'text',
    'text',
    'text',
    'text',
    'number',
    'boolean',
    'json',
    'json',
  ])
})

test.for<[ValueType, unknown, unknown]>([
  ['number', '5', 5],
  ['number', '01067', 1067],
  ['number', '', undefined],
  ['number', 'five', 'five'],
  ['number', '{{ trigger.n }}', '{{ trigger.n }}'],
  ['boolean', 'true', true],
  ['boolean', null, undefined],
  ['text', 5, '5'],
  ['text', false, 'false'],
  ['text', { a: 1 }, '{"a":1}'],
  ['text', null, ''],
  ['text', '{"a":', '{"a":'],
  ['number', '{"a":', '{"a":'],
  ['json', '[1, 2]', [1, 2]],
  ['json', '{{ trigger.n }}', '{{ trigger.n }}'],
  ['json', '{"a":', '{"a":'],
  ['json', 5, 5],
  ['json', null, undefined],
])('chosen as %s, %j is %j', ([type, value, result]) => {
  expect(valueAs(type, value)).toEqual(result)
})
