import { expect, test } from 'vitest'
import { offeredSchema } from './offered-schema.ts'

test('every list of a schema describes its items, and the arguments have properties', () => {
  const list = { type: 'array' }
  const schema = {
    type: 'object',
    properties: { tags: list, rows: { type: ['array', 'null'], items: list }, pair: { $ref: '#/$defs/row' } },
    $defs: { row: { anyOf: [list, { type: 'string' }] } },
    additionalProperties: list,
  }
  const any = { type: 'array', items: {} }
  expect(offeredSchema(schema)).toEqual({
    type: 'object',
    properties: { tags: any, rows: { type: ['array', 'null'], items: any }, pair: { $ref: '#/$defs/row' } },
    $defs: { row: { anyOf: [any, { type: 'string' }] } },
    additionalProperties: any,
  })
  expect(list).toEqual({ type: 'array' })
  expect(offeredSchema({ type: 'object' })).toEqual({ type: 'object', properties: {} })
})

test('keywords for lists are unchanged, and a property may be named like a keyword', () => {
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

test('a tuple also describes its additional items, and one of older drafts is rewritten', () => {
  const list = { type: 'array' }
  const any = { type: 'array', items: {} }
  expect(offeredSchema({ type: 'array', prefixItems: [list] }, 'answer')).toEqual({
    ...{ type: 'array', prefixItems: [any], items: {} },
  })
  expect(offeredSchema({ type: 'array', items: [list], additionalItems: false }, 'answer')).toEqual({
    ...{ type: 'array', prefixItems: [any], items: false },
  })
  expect(offeredSchema({ items: [list] }, 'answer')).toEqual({ prefixItems: [any], items: {} })
})

test('a schema is completed once, and one without an end of its levels allows anything', () => {
  const schema = { type: 'object' }
  expect(offeredSchema(schema)).toBe(offeredSchema(schema))
  let deep: Record<string, unknown> = { type: 'array' }
  for (let level = 0; level < 100_000; level += 1) deep = { items: deep }
  expect(offeredSchema({ type: 'object', properties: { deep } })).toEqual({ type: 'object', properties: {} })
})

// OpenAI and Anthropic refuse the request: https://github.com/nspady/google-calendar-mcp/issues/39.
test('arguments have no choice at the top level: the properties of all branches are listed together', () => {
  const string = { type: 'string' }
  const schema = {
    type: 'object',
    description: 'Moves an event.',
    properties: { id: string },
    required: ['id'],
    additionalProperties: false,
    oneOf: [{ properties: { at: string }, required: ['at'] }, { $ref: '#/$defs/span' }],
    allOf: [{ properties: { note: string }, required: ['note'] }],
    not: { required: ['id', 'at', 'from'] },
    $defs: {
      span: {
        type: 'object',
        properties: { from: string, at: { type: 'number' } },
        required: ['from', 'at'],
      },
    },
  }
  expect(offeredSchema(schema)).toEqual({
    type: 'object',
    description: 'Moves an event.',
    properties: { id: string, at: { anyOf: [string, { type: 'number' }] }, from: string, note: string },
    required: ['id', 'note', 'at'],
    $defs: schema.$defs,
  })
  const either = {
    type: 'object',
    anyOf: [{ required: ['a'] }, { required: ['b', 'c'] }],
    properties: { a: {} },
  }
  expect(offeredSchema(either)).toEqual({
    type: 'object',
    description: 'At least one of these sets is needed: a; b and c.',
    properties: { a: {} },
  })
  const answer = { anyOf: [string, { type: 'null' }] }
  expect(offeredSchema(answer, 'answer')).toEqual(answer)
})

test('formats unknown to providers are only described to the model', () => {
  const schema = {
    type: 'object',
    properties: {
      at: { type: 'integer', format: 'unix-time', description: 'When.' },
      count: { type: 'integer', format: 'int32' },
      mail: { type: 'string', format: 'email' },
      key: { type: 'string', format: 'password' },
    },
  }
  expect(offeredSchema(schema)).toEqual({
    type: 'object',
    properties: {
      at: { type: 'integer', description: 'When. (format: unix-time)' },
      count: { type: 'integer' },
      mail: { type: 'string', format: 'email' },
      key: { type: 'string', description: 'Format: password' },
    },
  })
})
