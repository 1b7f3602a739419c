import { expect, test } from 'vitest'
import { schemaFaults, schemaProblems } from './schema-faults.ts'

const problems = (outputSchema: unknown) =>
  schemaProblems(outputSchema, 'outputSchema').map(({ path, message }) => `${path} ${message}`)

test.for<[unknown, string[]]>([
  [null, []],
  [{ type: 'object', properties: { pattern: { type: 'string' } } }, []],
  [{ $defs: { a: { type: 'string' } }, $ref: '#/$defs/a' }, []],
  [{ const: { pattern: '(' }, enum: [{ pattern: '(' }] }, []],
  [
    { properties: { a: { pattern: '(' } } },
    ['outputSchema.properties.a.pattern is not a valid regular expression: missing closing ): `(`'],
  ],
  [
    { pattern: '(?=a)' },
    ['outputSchema.pattern is not a valid regular expression: invalid or unsupported Perl syntax: `(?=`'],
  ],
  [{ patternProperties: { a: {} } }, ['outputSchema.patternProperties is not supported']],
  [{ $ref: 'https://example.com/a' }, ['outputSchema.$ref must point inside the schema, beginning with #']],
])('the schema %j has the problems %j', ([schema, expected]) => {
  expect(problems(schema)).toEqual(expected)
})

test('a schema without end in depth is refused once', () => {
  let deep: object = {}
  for (let level = 0; level < 5_000; level += 1) deep = { not: deep }
  expect(problems(deep)).toEqual(['outputSchema must be nested at most 64 levels deep'])
})

const person = {
  $defs: { name: { type: 'string', minLength: 2 } },
  type: 'object',
  properties: {
    name: { $ref: '#/$defs/name' },
    tags: { type: 'array', items: { enum: ['a', 'b'] }, uniqueItems: true },
    kind: { oneOf: [{ const: 'x' }, { type: 'number' }] },
  },
  required: ['name'],
  additionalProperties: false,
}

test.for<[unknown, string[]]>([
  [{ name: 'Ann', tags: ['a'], kind: 3 }, []],
  [{}, ['name is required']],
  [{ name: 'Ann', colour: 1 }, ['colour is not allowed']],
  [{ name: 'A' }, ['name must not have fewer than 2 characters']],
  [{ name: 'Ann', tags: ['c'] }, ['tags.0 must be one of: "a", "b"']],
  [
    { name: 'Ann', kind: 'y' },
    ['kind must be "x"', 'kind must be number', 'kind must match exactly one schema in oneOf'],
  ],
  [7, ['must be object']],
])('the value %j has the faults %j', ([value, expected]) => {
  expect(schemaFaults(person, value)).toEqual(expected)
})

test('a pattern that would block a native matcher takes no time', () => {
  const started = process.threadCpuUsage()
  expect(schemaFaults({ type: 'string', pattern: '^(a+)+$' }, `${'a'.repeat(2_000)}!`)).toHaveLength(1)
  expect(process.threadCpuUsage(started).user / 1_000).toBeLessThan(3_000)
})

test('a schema that only refers to itself is reported, not followed forever', () => {
  expect(schemaFaults({ $ref: '#' }, 1)).toEqual(['the schema cannot be followed to an end'])
})

test('more than five faults are not listed', () => {
  const schema = { type: 'array', items: { type: 'string' } }
  expect(schemaFaults(schema, [1, 2, 3, 4, 5, 6, 7])).toHaveLength(5)
})

const doubled = Object.fromEntries(
  Array.from({ length: 40 }, (_, index) => [
    `d${index}`,
    { anyOf: [{ $ref: `#/$defs/d${index + 1}` }, { $ref: `#/$defs/d${index + 1}` }] },
  ]),
)

test.for<[string, Record<string, unknown>, unknown]>([
  ['exponential', { $ref: '#/$defs/d0', $defs: { ...doubled, d40: { type: 'string' } } }, 1],
  [
    'recursive',
    { anyOf: [{ items: { $ref: '#' } }, { items: { $ref: '#' }, type: 'null' }] },
    [[[[[[[]]]]]]],
  ],
  [
    'repeated for a long text',
    { allOf: Array.from({ length: 2_000 }, () => ({ minLength: 5 })) },
    'x'.repeat(250_000),
  ],
  ['about unique items', { uniqueItems: true }, Array.from({ length: 15_000 }, () => 1)],
  ['about a hundred thousand values', { items: {} }, Array.from({ length: 100_000 }, () => 1)],
])('a schema that is %s ends within 3 seconds', ([, schema, value]) => {
  const started = process.threadCpuUsage()
  schemaFaults(schema, value)
  expect(process.threadCpuUsage(started).user / 1_000).toBeLessThan(3_000)
})

test('a schema follows a large value to its end', () => {
  const items = Array.from({ length: 5_000 }, (_, id) => ({ id, name: 'a' }))
  const schema = {
    type: 'array',
    items: {
      type: 'object',
      properties: { id: { type: 'integer' }, name: { type: 'string', minLength: 1, pattern: '^[a-z]' } },
      required: ['id', 'name'],
      additionalProperties: false,
    },
  }
  expect(schemaFaults(schema, items)).toEqual([])
  expect(schemaFaults(schema, [...items, { id: 'x', name: 'a' }])).toHaveLength(1)
})

test('a schema that asks for too much cannot be used', () => {
  expect(schemaProblems({ type: 'array', minItems: 100_000_000 }, 'outputSchema')).toMatchObject([
    { path: 'outputSchema' },
  ])
})
