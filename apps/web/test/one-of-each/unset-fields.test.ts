import { expect, test } from 'vitest'
import { unsetFields } from './unset-fields.ts'

const branch = (type: string, more: object = {}) => ({
  type: 'object',
  required: ['type'],
  properties: { type: { type: 'string', const: type }, ...more },
})
const schema = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string' },
    note: { type: 'string' },
    items: {
      type: 'array',
      items: { anyOf: [branch('a', { size: { type: 'integer' } }), branch('b')] },
    },
  },
}

test('fields that no value sets, branches that no value has, and fields that are only null are unset', () => {
  expect(unsetFields(schema, [{ name: 'x', note: null, items: [{ type: 'a' }] }])).toEqual([
    'note',
    'items[].a.size',
    'items[].b',
  ])
})

test('several values set the fields of a schema together', () => {
  const values = [
    { name: 'x', note: 'y', items: [{ type: 'a', size: 1 }] },
    { name: 'x', items: [{ type: 'b' }] },
  ]
  expect(unsetFields(schema, values)).toEqual([])
})
