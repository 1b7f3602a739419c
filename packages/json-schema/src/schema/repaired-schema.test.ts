import { describe, expect, test } from 'vitest'
import { jsonAnswer } from './json-answer.ts'
import { repairedSchema, type SchemaUse } from './repaired-schema.ts'

/** The schema of one argument `a` after the repair. */
function argument(a: unknown, more: object = {}): unknown {
  const repaired = repairedSchema({ type: 'object', properties: { a }, ...more })
  if (!repaired.ok) throw new Error(repaired.problem)
  const { properties } = repaired.schema as { properties: Record<string, unknown> }
  return properties.a
}

function repairsOf(schema: object, use: SchemaUse = 'arguments') {
  const repaired = repairedSchema(schema, use)
  return repaired.ok ? repaired.repairs : repaired.problem
}

test('a schema of known keywords is unchanged, without a warning', () => {
  const schema = {
    type: 'object',
    description: 'An order.',
    properties: {
      id: { type: 'string', format: 'uuid', pattern: '^[0-9a-f-]+$' },
      count: { type: ['integer', 'null'], minimum: 1, exclusiveMaximum: 10, default: 1 },
      state: { enum: ['open', 'closed', null] },
      next: { $ref: '#/$defs/order' },
      rest: { type: 'array', items: { anyOf: [{ type: 'string' }, { const: 0 }] }, uniqueItems: true },
    },
    required: ['id'],
    additionalProperties: false,
    $defs: { order: { type: 'object', properties: { parent: { $ref: '#/$defs/order' } } } },
  }
  expect(repairedSchema(schema)).toEqual({ ok: true, schema, repairs: [] })
})

describe('a keyword with a value that it cannot have', () => {
  // Draft 4 (https://json-schema.org/draft-04/draft-fge-json-schema-validation-00), draft 3 and OpenAPI 3.0.3 wrote the first ones.
  test.each<[object, object]>([
    [
      { type: 'integer', minimum: 5, exclusiveMinimum: true },
      { type: 'integer', exclusiveMinimum: 5 },
    ],
    [
      { type: 'integer', maximum: 5, exclusiveMaximum: true },
      { type: 'integer', exclusiveMaximum: 5 },
    ],
    [
      { type: 'integer', minimum: 5, exclusiveMinimum: false },
      { type: 'integer', minimum: 5 },
    ],
    [{ type: 'integer', exclusiveMinimum: true }, { type: 'integer' }],
    [{ type: 'string', nullable: true }, { type: ['string', 'null'] }],
    [
      { type: 'string', enum: ['a'], nullable: true },
      { type: ['string', 'null'], enum: ['a', null] },
    ],
    [{ type: 'string', example: 'x', 'x-order': 1, xml: {}, discriminator: {} }, { type: 'string' }],
    [{ type: 'any' }, {}],
    [{ type: 'STRING' }, { type: 'string' }],
    [{ type: ['string', 'string'] }, { type: 'string' }],
    [{ type: ['string', 'any'] }, {}],
    [{ type: [] }, {}],
    [{ type: { name: 'x' } }, {}],
    [
      { type: 'object', properties: [] },
      { type: 'object', properties: {} },
    ],
    [
      { type: 'object', properties: null },
      { type: 'object', properties: {} },
    ],
    [{ type: 'object', required: 'a' }, { type: 'object' }],
    [
      { type: 'object', required: ['b', 'b', 1] },
      { type: 'object', required: ['b'] },
    ],
    [
      { type: 'string', minLength: '2', maxLength: -1 },
      { type: 'string', minLength: 2 },
    ],
    [{ type: 'number', multipleOf: 0 }, { type: 'number' }],
    [{ enum: [] }, {}],
    [{ enum: 'a' }, {}],
    [
      { type: 'string', enum: ['a', 1, null] },
      { type: 'string', enum: ['a', '1'] },
    ],
    [
      { type: 'integer', enum: ['1', 'b'] },
      { type: 'integer', enum: [1] },
    ],
    [{ type: 'boolean', enum: ['x'] }, { type: 'boolean' }],
    [
      { type: 'string', const: 1 },
      { type: 'string', const: '1' },
    ],
    [{ anyOf: [] }, {}],
    [{ anyOf: { type: 'string' } }, { anyOf: [{ type: 'string' }] }],
    [{ anyOf: [true, false, 'x'] }, { anyOf: [{}, { not: {} }] }],
    [{ type: 'array', items: 'string' }, { type: 'array' }],
    [
      { type: 'array', items: true },
      { type: 'array', items: {} },
    ],
    [
      { type: 'array', items: [{ type: 'any' }], additionalItems: false },
      { type: 'array', prefixItems: [{}], items: false },
    ],
    [{ type: 'string', description: 7, title: ['a'], examples: 'a', deprecated: 'yes' }, { type: 'string' }],
    [{ type: 'string', pattern: '[' }, { type: 'string' }],
    [{ type: 'object', additionalProperties: 'false' }, { type: 'object' }],
    [
      { dependencies: { a: ['b'], c: { type: 'object' } } },
      { dependentRequired: { a: ['b'] }, dependentSchemas: { c: { type: 'object' } } },
    ],
    [{ type: 'number', default: Number.NaN }, { type: 'number' }],
    [{ foo: 1, patternProperties: { '^a': {} } }, {}],
  ])('%j is read as %j', (given, read) => {
    expect(argument(given)).toEqual(read)
  })

  test('is reported with its path, and keywords without effect on values are not', () => {
    const schema = {
      type: 'object',
      properties: {
        a: { type: 'integer', minimum: 5, exclusiveMinimum: true },
        b: { type: 'any', required: true },
        c: { type: 'string', example: 'x', 'x-a': 1, $comment: 'y' },
        'd.e': 'string',
      },
      $schema: 'http://json-schema.org/draft-04/schema#',
    }
    expect(repairsOf(schema)).toEqual([
      { path: 'properties.a.exclusiveMinimum', message: 'was true, as in draft 4, and is read as 5' },
      { path: 'properties.b.type', message: 'cannot be "any" and is omitted' },
      { path: 'properties.d.e', message: 'is not a schema, so anything is allowed there' },
      {
        path: 'properties.b.required',
        message: 'was true, as in draft 3, and is read as required of the object',
      },
    ])
    expect(repairedSchema(schema)).toMatchObject({ schema: { required: ['b'] } })
  })

  test('boolean schemas of properties are written as objects', () => {
    const schema = { type: 'object', properties: { a: true, b: false } }
    expect(repairedSchema(schema)).toMatchObject({ schema: { properties: { a: {}, b: { not: {} } } } })
  })

  test('required names that a closed object does not describe may be given', () => {
    const schema = { type: 'object', properties: {}, required: ['a'], additionalProperties: false }
    expect(repairedSchema(schema)).toMatchObject({ schema: { properties: { a: {} } } })
  })
})

describe('a reference', () => {
  const string = { type: 'string' }

  test.each<[object, object, object | undefined]>([
    [{ $ref: '#/definitions/x' }, { $ref: '#/$defs/x' }, { x: string }],
    [{ $ref: '#/$defs/y~1z' }, { $ref: '#/$defs/y_z' }, { y_z: string }],
    [{ $ref: '#/properties/b' }, { $ref: '#/$defs/b' }, { b: { type: 'integer' } }],
    [{ $ref: '#/definitions/alias' }, { $ref: '#/$defs/alias' }, { alias: string }],
    [{ $ref: '#' }, { $ref: '#' }, undefined],
    [{ $ref: '#/definitions/loop' }, {}, undefined],
    [{ $ref: '#/definitions/none' }, {}, undefined],
    [{ $ref: 'https://elsewhere.example/x.json' }, {}, undefined],
    [{ $ref: 7 }, {}, undefined],
    [
      { $ref: '#/definitions/x', description: 'One.' },
      { description: 'One.', anyOf: [{ $ref: '#/$defs/x' }] },
      { x: string },
    ],
    [
      { $ref: '#/definitions/x', nullable: true },
      { anyOf: [{ $ref: '#/$defs/x' }, { type: 'null' }] },
      { x: string },
    ],
    [
      { $ref: '#/definitions/x', anyOf: [string] },
      { allOf: [{ $ref: '#/$defs/x' }, { anyOf: [string] }] },
      { x: string },
    ],
  ])('%j is %j', (given, read, $defs) => {
    const repaired = repairedSchema({
      type: 'object',
      properties: { a: given, b: { type: 'integer' } },
      definitions: {
        x: string,
        alias: { $ref: '#/definitions/x' },
        loop: { $ref: '#/definitions/loop' },
        unused: { type: 'any' },
      },
      $defs: { 'y/z': string },
    })
    expect(repaired).toMatchObject({ ok: true, schema: { properties: { a: read } } })
    expect(repaired.ok && repaired.schema.$defs).toEqual($defs)
    expect(repaired.ok && repaired.schema).not.toHaveProperty('definitions')
  })

  test('at the top is replaced by its target', () => {
    const $defs = { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } } }
    expect(repairedSchema({ $ref: '#/$defs/node', $defs })).toEqual({
      ok: true,
      schema: { ...$defs.node, $defs },
      repairs: [],
    })
  })

  test('of a chain as long as the schema is followed without recursion', () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 9_000 }, (_, n) => [`d${n}`, { items: { $ref: `#/$defs/d${n + 1}` } }]),
    )
    const chain = { type: 'object', properties: { a: { $ref: '#/$defs/d0' } }, $defs }
    expect(repairsOf(chain)).toBe('must be at most 64 KB of JSON')
  })
})

describe('a schema that has no meaning', () => {
  const deep = (levels: number) => {
    let schema: object = {}
    for (let level = 0; level < levels; level += 1) schema = { items: schema }
    return schema
  }

  test.each<[unknown, string]>([
    [null, 'is not a JSON Schema: it must be an object'],
    [true, 'is not a JSON Schema: it must be an object'],
    [{ type: 'array' }, 'must describe an object: its type must be object'],
    [{ type: 'object', properties: { a: deep(100_000) } }, 'must be nested at most 64 levels deep'],
    [
      {
        type: 'object',
        properties: Object.fromEntries(Array.from({ length: 30_000 }, (_, n) => [`p${n}`, {}])),
      },
      'has more than 20000 parts',
    ],
    [
      { type: 'object', properties: { a: { minItems: 1e9 } } },
      'exceeds the limits of an answer: 10000 values and 100000 characters',
    ],
  ])('%.60j is refused with an error message', (schema, problem) => {
    expect(repairedSchema(schema)).toEqual({ ok: false, problem })
  })

  test('an answer may be any JSON', () => {
    const schema = { type: 'array', items: { type: 'string', maxLength: 3 } }
    expect(repairedSchema(schema, 'answer')).toEqual({ ok: true, schema, repairs: [] })
    expect(repairedSchema({ type: ['object', 'null'] })).toMatchObject({ schema: { type: 'object' } })
    expect(repairedSchema({})).toMatchObject({ schema: { type: 'object' } })
  })

  test('data in a schema is neither deep nor large', () => {
    expect(
      argument({ enum: [deep(100_000)], const: deep(20), default: Array.from({ length: 5_000 }) }),
    ).toEqual({})
  })
})

test('an answer is checked against the requested schema', () => {
  const schema = {
    type: 'object',
    properties: { n: { type: 'integer', minimum: 1, exclusiveMinimum: true, required: true } },
  }
  const { problemOf } = jsonAnswer(schema)
  expect([problemOf('{"n": 2}'), problemOf('{"n": 1}'), problemOf('{}')]).toEqual([
    null,
    expect.stringContaining('n must be > 1'),
    'n is required',
  ])
})
