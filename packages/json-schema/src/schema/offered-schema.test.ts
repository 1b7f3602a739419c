import { expect, test } from 'vitest'
import { offeredSchema } from './offered-schema.ts'

test('every list of a schema says what its items are, and the arguments have properties', () => {
  const list = { type: 'array' }
  const schema = {
    type: 'object',
    properties: { tags: list, rows: { type: ['array', 'null'], items: list }, pair: { prefixItems: [list] } },
    $defs: { row: { anyOf: [list, { type: 'string' }] } },
    additionalProperties: list,
  }
  const any = { type: 'array', items: {} }
  expect(offeredSchema(schema)).toEqual({
    type: 'object',
    properties: { tags: any, rows: { type: ['array', 'null'], items: any }, pair: { prefixItems: [any] } },
    $defs: { row: { anyOf: [any, { type: 'string' }] } },
    additionalProperties: any,
  })
  expect(list).toEqual({ type: 'array' })
  expect(offeredSchema({ type: 'object' })).toEqual({ type: 'object', properties: {} })
})

test('what a schema says of its lists stays, and a property may be called like a keyword', () => {
  const schema = {
    type: 'object',
    properties: {
      items: { type: 'string' },
      type: { type: 'array', items: { type: 'number' } },
      pair: { type: 'array', prefixItems: [{ type: 'string' }], items: false },
    },
    required: ['items'],
    additionalProperties: false,
  }
  expect(offeredSchema(schema)).toEqual(schema)
})

test('a tuple also says what follows its items, and one of older drafts is written as a new one', () => {
  const list = { type: 'array' }
  expect(offeredSchema({ type: 'array', prefixItems: [list] })).toEqual({
    ...{ type: 'array', prefixItems: [{ type: 'array', items: {} }], items: {} },
  })
  expect(offeredSchema({ type: 'array', items: [list], additionalItems: false })).toEqual({
    ...{ type: 'array', prefixItems: [{ type: 'array', items: {} }], items: false },
  })
  expect(offeredSchema({ items: [list] })).toEqual({
    ...{ prefixItems: [{ type: 'array', items: {} }], items: {} },
  })
})

test('a schema is completed once, and one without an end of its levels is left alone', () => {
  const schema = { type: 'object' }
  expect(offeredSchema(schema)).toBe(offeredSchema(schema))
  let deep: Record<string, unknown> = { type: 'array' }
  for (let level = 0; level < 100_000; level += 1) deep = { items: deep }
  expect(() => offeredSchema({ type: 'object', properties: { deep } })).not.toThrow()
})
