import { expect, test } from 'vitest'
import {
  ROW_TYPES,
  readKeptRows,
  rowFault,
  schemaOfRows,
  schemaRows,
  typeOfRow,
  withRowType,
} from './schema-rows.ts'

const schema = {
  type: 'object',
  properties: {
    category: { type: 'string', enum: ['bug', 'praise'], description: 'Of the ticket' },
    score: { type: 'number' },
    tags: { type: 'array', items: { type: 'string' } },
    user: { type: 'object', properties: { name: { type: 'string' } } },
  },
  required: ['category', 'user'],
  additionalProperties: false,
}

test('a schema survives a round trip through its rows', () => {
  const rows = schemaRows(schema)
  expect(rows?.map(({ name, isRequired }) => `${name} ${isRequired}`)).toEqual([
    'category true',
    'score false',
    'tags false',
    'user true',
  ])
  expect(rows?.map(typeOfRow)).toEqual(['choice', 'number', 'texts', 'json'])
  expect(JSON.stringify(schemaOfRows(schema, rows ?? []))).toBe(JSON.stringify(schema))
})

test('an absent schema has no rows, and no rows make an absent schema unless it has other keywords', () => {
  expect(schemaRows(null)).toEqual([])
  expect(schemaOfRows(null, [])).toBeNull()
  expect(schemaOfRows({ ...schema, additionalProperties: undefined }, [])).toMatchObject({ properties: {} })
})

test.each([
  ['a list', { type: 'array', items: {} }],
  ['several types', { type: ['object', 'null'] }],
  ['a property that is no object', { type: 'object', properties: { a: true } }],
  ['a required name without a property', { type: 'object', properties: {}, required: ['a'] }],
  ['a required name that is inherited', { type: 'object', properties: {}, required: ['toString'] }],
  ['properties that are none', { type: 'object', properties: [] }],
  ['a text', 'object'],
])('%s has no rows', (_name, other) => {
  expect(schemaRows(other)).toBeNull()
})

test('a property with more than its fields show is JSON', () => {
  for (const own of [
    { type: 'string', minLength: 1 },
    {},
    { type: 'string', enum: [1] },
    { type: ['string'] },
  ])
    expect(typeOfRow({ name: 'a', isRequired: false, schema: own })).toBe('json')
})

test('a row that changes its type keeps its description, and gets the type', () => {
  for (const type of ROW_TYPES) {
    const schema = { type: 'number', description: 'How much' }
    const changed = withRowType({ name: 'a', isRequired: true, schema }, type)
    expect(typeOfRow(changed)).toBe(type)
    expect(changed.schema.description).toBe('How much')
  }
})

test('rows without a name, with a taken one or without choices are named', () => {
  const text = { isRequired: false, schema: { type: 'string' } }
  const rows = [
    { name: 'a', ...text },
    { name: ' ', ...text },
    { name: 'a', ...text },
    { name: 'c', isRequired: true, schema: { type: 'string', enum: [] } },
  ]
  expect(rows.map((_row, index) => rowFault(rows, index))).toEqual([null, 'unnamed', 'taken', 'no-choices'])
})

test('a property may have the name of a prototype', () => {
  const rows = [{ name: '__proto__', isRequired: true, schema: { type: 'string' } }]
  expect(schemaRows(schemaOfRows(null, rows))).toEqual(rows)
})

test('waiting rows are read again, and other texts are not rows', () => {
  const rows = [{ name: '', isRequired: true, schema: { type: 'string' } }]
  expect(readKeptRows(JSON.stringify(rows))).toEqual(rows)
  for (const text of ['{', '[1]', '[{"name":"a"}]', '{"name":"a"}']) expect(readKeptRows(text)).toBeNull()
})
