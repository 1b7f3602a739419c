import { NODE_DEFINITIONS } from '@troupe/nodes/definitions'
import { expect, test } from 'vitest'
import { TOOL_KINDS } from './agent-config.ts'
import { filledValue } from './filled-value.ts'
import { unsetFields } from './unset-fields.ts'

test.for(NODE_DEFINITIONS)('a filled config of $type sets every field of its schema', ({ schema }) => {
  expect(unsetFields(schema, [filledValue(schema)])).toEqual([])
})

test.for(TOOL_KINDS)('a filled $type tool sets every field of its schema', ({ schema }) => {
  expect(unsetFields(schema, [filledValue(schema)])).toEqual([])
})

test('a filled value differs from each default, and stays within its limits', () => {
  const schema = {
    type: 'object',
    properties: {
      text: { type: 'string', default: 'Filled in', maxLength: 10 },
      count: { type: 'integer', minimum: 3, default: 3 },
      isOn: { type: 'boolean', default: true },
      mode: { type: ['string', 'null'], enum: ['a', 'b', null], default: 'b' },
      who: { type: 'string', format: 'uuid', form: { control: 'agent' } },
      kinds: { type: 'array', items: { anyOf: [{ const: 1 }, { type: 'string' }] } },
    },
  }
  expect(filledValue(schema, { agent: 'a-1' })).toEqual({
    ...{ text: 'Filled in ', count: 4, isOn: false, mode: 'a', who: 'a-1' },
    kinds: [1, 'Filled in'],
  })
})
