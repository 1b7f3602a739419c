import { expect, test } from 'vitest'
import { sampleArguments } from './sample-arguments.ts'

test('a sample has the required arguments only', () => {
  const properties = { session_id: { type: 'string', minLength: 1 }, message: { type: 'string' } }
  expect(sampleArguments({ type: 'object', required: ['message'], properties })).toEqual({ message: '' })
})

test('where none is required, each argument has a value of its type', () => {
  const schema = {
    type: 'object',
    properties: {
      note: { type: 'string' },
      id: { type: 'string', examples: ['A-17'] },
      count: { type: 'integer', minimum: 1 },
      state: { enum: ['open', 'closed'] },
      tags: { type: 'array' },
      who: { type: 'object', properties: { name: { type: ['string', 'null'] } } },
      urgent: { type: 'boolean', default: true },
    },
  }
  expect(sampleArguments(schema)).toEqual({
    id: 'A-17',
    note: '',
    count: 1,
    state: 'open',
    tags: [],
    who: { name: '' },
    urgent: true,
  })
})

test('a schema without properties has no arguments', () => {
  expect(sampleArguments(undefined)).toEqual({})
  expect(sampleArguments({ properties: 7 })).toEqual({})
})

test('a schema that contains itself ends', () => {
  const schema: Record<string, unknown> = { type: 'object' }
  schema.properties = { child: schema }
  expect(JSON.stringify(sampleArguments(schema)).length).toBeLessThan(100)
})
