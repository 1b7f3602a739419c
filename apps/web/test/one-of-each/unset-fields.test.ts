import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { unsetFields } from './unset-fields.ts'

const schema = Type.Object({
  name: Type.String(),
  note: Type.Optional(Type.String()),
  items: Type.Array(
    Type.Union([
      Type.Object({ type: Type.Literal('a'), size: Type.Optional(Type.Integer()) }),
      Type.Object({ type: Type.Literal('b') }),
    ]),
  ),
})

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
