import { expect, test } from 'vitest'
import { mergeAgentConfig } from './check.ts'
import { schemaExcess } from './schema-excess.ts'

const object = (properties: Record<string, unknown>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
})
const list = (minItems: number, items: unknown = { type: 'string' }) => ({ type: 'array', minItems, items })

test.for<[string, Record<string, unknown>]>([
  ['a hundred million items', list(100_000_000)],
  ['a hundred million items of a property that may be omitted', { properties: { a: list(100_000_000) } }],
  ['a thousand lists of a thousand', list(1_000, list(1_000))],
  ['the same by reference', { ...list(1_000, { $ref: '#/$defs/x' }), $defs: { x: list(1_000) } }],
  ['a string of a million characters', object({ a: { type: 'string', minLength: 1_000_000 } })],
  ['a thousand strings of a thousand characters', list(1_000, { type: 'string', minLength: 1_000 })],
  ['parts that are too much together', { allOf: [list(6_000), list(6_000)] }],
  ['no small alternative', { anyOf: [list(100, list(200)), list(200, list(100))] }],
  ['a million properties', { type: 'object', minProperties: 1_000_000 }],
])('a schema that requires %s is refused', ([, schema]) => {
  expect(schemaExcess(schema)).toMatch(/^exceeds the limits of an answer/)
})

test.for<[string, Record<string, unknown>]>([
  ['an object', object({ a: list(3, object({ b: { type: 'string', minLength: 10 } })) })],
  ['a small alternative', { anyOf: [list(9_000, list(2)), { type: 'null' }] }],
  ['itself', object({ a: { $ref: '#' } })],
  ['a property that is called like a keyword', object({ minItems: { const: 100_000_000 } })],
  ['a reference that leads nowhere', { $ref: '#/$defs/none' }],
])('a schema that requires %s is accepted', ([, schema]) => {
  expect(schemaExcess(schema)).toBeNull()
})

test('a schema has at most 64 KB', () => {
  expect(schemaExcess({ description: 'x'.repeat(66_000) })).toBe('must be at most 64 KB of JSON')
})

test('a schema with many references between its parts is checked quickly', () => {
  const $defs = Object.fromEntries(
    Array.from({ length: 60 }, (_, index) => [
      `d${index}`,
      { anyOf: [{ $ref: `#/$defs/d${index + 1}` }, { $ref: `#/$defs/d${index + 1}` }] },
    ]),
  )
  const started = process.threadCpuUsage()
  expect(schemaExcess({ $ref: '#/$defs/d0', $defs })).toBeNull()
  expect(process.threadCpuUsage(started).user / 1_000).toBeLessThan(200)
})

test('an agent is not saved with such a schema', () => {
  const patch = { execution: { output: { mode: 'json_schema', schema: list(100_000_000) } } }
  expect(mergeAgentConfig(patch)).toEqual({
    ok: false,
    errors: [
      { path: 'config.execution.output.schema', message: expect.stringMatching(/^exceeds the limits/) },
    ],
  })
})
