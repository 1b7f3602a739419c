import { describe, expect, it } from 'vitest'
import { InstanceTooLarge } from './instance-budget.ts'
import type { SandboxSchema } from './sandbox-schema.ts'
import { smallestInstance } from './smallest-instance.ts'

const MESSAGE = 'My invoice is wrong'

const rows: [string, SandboxSchema, unknown][] = [
  ['a string takes the message', { type: 'string' }, MESSAGE],
  ['a string is cut to maxLength', { type: 'string', maxLength: 10 }, 'My invoice'],
  ['a string is filled to minLength', { type: 'string', minLength: 21 }, 'My invoice is wrong..'],
  ['a format gets a valid value', { type: 'string', format: 'date' }, '2000-01-01'],
  ['a number is 0', { type: 'number' }, 0],
  ['a number is its minimum', { type: 'integer', minimum: 3 }, 3],
  ['a number is above its exclusive minimum', { type: 'integer', exclusiveMinimum: 3 }, 4],
  ['a number is at most its maximum', { type: 'number', maximum: -2 }, -2],
  ['a number is a multiple', { type: 'integer', minimum: 7, multipleOf: 5 }, 10],
  ['a boolean is true', { type: 'boolean' }, true],
  ['null is null', { type: 'null' }, null],
  ['a nullable value is a value', { type: ['null', 'integer'] }, 0],
  ['an array has one item', { type: 'array', items: { type: 'boolean' } }, [true]],
  ['an array has minItems items', { type: 'array', minItems: 0, items: { type: 'boolean' } }, []],
  [
    'items of an array differ',
    { type: 'array', minItems: 2, items: { type: 'string', maxLength: 6 } },
    ['My inv', 'My i 2'],
  ],
  ['items of an enum differ', { type: 'array', minItems: 2, items: { enum: ['a', 'b'] } }, ['a', 'b']],
  ['a tuple has its items', { prefixItems: [{ type: 'boolean' }, { type: 'integer' }] }, [true, 0]],
  ['a constant is itself', { const: 42 }, 42],
  [
    'an object has required properties only',
    { type: 'object', properties: { a: { type: 'integer' }, b: { type: 'integer' } }, required: ['b'] },
    { b: 0 },
  ],
  ['an object without requirements is empty', { type: 'object' }, {}],
  ['of alternatives the first that is not null', { anyOf: [{ type: 'null' }, { type: 'boolean' }] }, true],
  [
    'parts are joined',
    {
      allOf: [
        { required: ['a'], properties: { a: { const: 1 } } },
        { required: ['b'], properties: { b: { const: 2 } } },
      ],
    },
    { a: 1, b: 2 },
  ],
  [
    'references are followed',
    { $ref: '#/$defs/x', $defs: { x: { type: 'boolean' } } } as SandboxSchema,
    true,
  ],
]

describe('smallestInstance', () => {
  it.each(rows)('%s', (_name, schema, expected) => {
    expect(smallestInstance(schema, MESSAGE)).toEqual(expected)
  })

  it('ends for a schema that contains itself', () => {
    const schema = { $ref: '#' } as SandboxSchema
    expect(smallestInstance(schema, MESSAGE)).toEqual({})
  })

  it.each<[string, SandboxSchema]>([
    ['a hundred million items', { type: 'array', minItems: 100_000_000, items: { type: 'integer' } }],
    [
      'lists in lists',
      { type: 'array', minItems: 1_000, items: { type: 'array', minItems: 1_000, items: {} } },
    ],
    ['a string of a billion characters', { type: 'string', minLength: 1_000_000_000 }],
    [
      'an object that contains itself ten times',
      {
        required: [...'abcdefghij'],
        properties: Object.fromEntries([...'abcdefghij'].map((name) => [name, { $ref: '#' }])),
      },
    ],
  ])('refuses %s at once', (_name, schema) => {
    const started = process.threadCpuUsage()
    expect(() => smallestInstance(schema, MESSAGE)).toThrow(InstanceTooLarge)
    expect(process.threadCpuUsage(started).user / 1_000).toBeLessThan(2_000)
  })

  it('many strings share a long message', () => {
    const names = Array.from({ length: 100 }, (_, index) => `p${index}`)
    const value = smallestInstance(
      { required: names, properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])) },
      'x'.repeat(900_000),
    )
    expect(JSON.stringify(value).length).toBeLessThan(1_100_000)
  })

  it('a broken reference is an empty object', () => {
    expect(smallestInstance({ $ref: '#/%E0%A4%A' }, MESSAGE)).toEqual({})
  })

  it('chooses one of 50 classes for 900 KB within a second', () => {
    const names = Array.from({ length: 50 }, (_, index) => `m${index}`)
    const description = names.map((name) => `${name}: ${'words about something '.repeat(40)}`).join('\n')
    const schema = { type: 'array', minItems: 50, items: { enum: names, description } }
    const started = process.threadCpuUsage()
    smallestInstance(schema, 'lorem ipsum dolor '.repeat(50_000))
    expect(process.threadCpuUsage(started).user / 1_000).toBeLessThan(1_000)
  })

  it('takes the option whose words overlap most with the message', () => {
    expect(smallestInstance({ enum: ['shipping', 'invoice'] }, MESSAGE)).toBe('invoice')
  })

  it('takes the first option on a tie, function words not counted', () => {
    const description = 'm1: the one that is my friend\nm2: is'
    expect(smallestInstance({ enum: ['m1', 'm2'], description }, MESSAGE)).toBe('m1')
    expect(smallestInstance({ enum: ['a', 'b'] }, MESSAGE)).toBe('a')
  })

  it('counts the description of an option, as its line or as its own schema', () => {
    const description =
      'Who answers.\n- m1 (Shipping): parcels\n- m2 (Billing): every invoice and refund\nm20: invoice wrong'
    expect(smallestInstance({ enum: ['m1', 'm2'], description }, MESSAGE)).toBe('m2')
    const oneOf = [
      { const: 'm1', description: 'parcels' },
      { const: 'm2', description: 'invoices, every invoice' },
    ]
    expect(smallestInstance({ oneOf }, MESSAGE)).toBe('m2')
  })
})
