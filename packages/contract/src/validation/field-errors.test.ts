import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { MAX_FIELD_ERRORS } from '../errors/field-path.ts'
import { Choice } from '../schema/choice.ts'
import { IsoTimestamp, Uuid } from '../schema/formats.ts'
import { Nullable } from '../schema/nullable.ts'
import { validator } from './validator.ts'

const check = validator(
  Type.Object(
    {
      id: Type.Optional(Uuid()),
      at: Type.Optional(IsoTimestamp()),
      kind: Type.Optional(Nullable(Choice(['a', 'b']))),
      version: Type.Optional(Type.Literal('v1')),
      name: Type.Optional(Type.String({ minLength: 2, maxLength: 3, pattern: '^[a-z]+$' })),
      count: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: 5 }))),
      price: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
      list: Type.Optional(Type.Array(Type.Object({ x: Type.String() }), { minItems: 1, maxItems: 2 })),
      either: Type.Optional(Type.Union([Choice(['never', 'always']), Type.Object({ field: Type.String() })])),
      labels: Type.Optional(Type.Object({}, { additionalProperties: { type: 'string' } })),
    },
    { additionalProperties: false },
  ),
)
const told = (value: unknown, prefix?: string) => {
  const checked = check(value, prefix)
  return checked.ok ? [] : checked.errors.map((error) => `${error.path} ${error.message}`)
}

test.for<[unknown, string]>([
  [{ id: 'x' }, 'id must be a UUID'],
  [{ at: 'yesterday' }, 'at must be a valid date-time'],
  [{ kind: 'c' }, 'kind must be one of: a, b, null'],
  [{ version: 'v2' }, 'version must be "v1"'],
  [{ name: 'a' }, 'name must have at least 2 characters'],
  [{ name: 'abcd' }, 'name must have at most 3 characters'],
  [{ count: 0 }, 'count must be at least 1'],
  [{ count: 6 }, 'count must be at most 5'],
  [{ count: 'x' }, 'count must be an integer or null'],
  [{ price: 0 }, 'price must be above 0'],
  [{ list: [] }, 'list must have at least 1 item'],
  [{ list: [{}] }, 'list.0.x is required'],
  [{ either: 'maybe' }, 'either must be one of: never, always, or an object with field'],
  [{ labels: { a: 1 } }, 'labels.a must be a string'],
  [{ unknown: 1 }, 'unknown is not a known field'],
  [7, ' must be an object'],
])('%j is reported as one sentence', ([value, sentence]) => {
  expect(told(value)).toEqual([sentence])
})

test('a place that breaks several rules is reported once', () => {
  expect(told({ name: '' })).toEqual(['name must have at least 2 characters'])
})

test('paths start with the given prefix', () => {
  expect(told({ list: [{}] }, 'config')).toEqual(['config.list.0.x is required'])
  expect(told(7, 'config')).toEqual(['config must be an object'])
})

test('more failures than a schema library shows by default are all reported', () => {
  const many = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`key${n}`, 1]))
  expect(told(many)).toHaveLength(50)
})

test('one failure with many fields is listed up to one more than a response lists', () => {
  const names = Array.from({ length: 1_000 }, (_, at) => `field${at}`)
  const wide = validator(Type.Object(Object.fromEntries(names.map((name) => [name, Type.String()]))))
  const checked = wide({})
  expect(checked.ok ? [] : checked.errors).toHaveLength(MAX_FIELD_ERRORS + 1)
})
