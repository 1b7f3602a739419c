import { expect, test } from 'vitest'
import { safeArguments, unsafeArgument } from './argument-names.ts'

const string = { type: 'string' }

// Anthropic refuses the whole request: https://github.com/beautyfree/appstore-connect-mcp/issues/2.
test('arguments with names that Anthropic refuses get other names, and the tool gets the original ones', () => {
  const schema = {
    type: 'object',
    properties: {
      'filter[id]': string,
      filter_id_: string,
      größe: string,
      '': string,
      ['x'.repeat(70)]: string,
      'a.b-c': string,
    },
    required: ['filter[id]', 'a.b-c'],
    anyOf: [{ required: ['größe'] }, { properties: { 'sort by': string } }],
  }
  const safe = safeArguments(schema)
  expect(Object.keys(safe.schema.properties as object)).toEqual([
    'filter_id__1',
    'filter_id_',
    'gr__e',
    '_',
    'x'.repeat(64),
    'a.b-c',
  ])
  expect(safe.schema).toMatchObject({
    required: ['filter_id__1', 'a.b-c'],
    anyOf: [{ required: ['gr__e'] }, { properties: { sort_by: string } }],
  })
  expect(unsafeArgument(safe.schema)).toBeNull()
  const input = { filter_id__1: 1, filter_id_: 2, gr__e: 3, sort_by: 4, 'a.b-c': 5 }
  expect(safe.toOwn(input)).toEqual({ 'filter[id]': 1, filter_id_: 2, größe: 3, 'sort by': 4, 'a.b-c': 5 })
})

test('other arguments are unchanged, and names below them have no such rule', () => {
  const schema = { type: 'object', properties: { a: { properties: { 'b[c]': string } } } }
  expect(safeArguments(schema).schema).toBe(schema)
})
