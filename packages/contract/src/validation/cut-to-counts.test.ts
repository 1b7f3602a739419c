import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { Nullable } from '../schema/nullable.ts'
import { StringMap } from '../schema/objects.ts'
import { cutToCounts } from './cut-to-counts.ts'
import { validator } from './validator.ts'

const Entry = Type.Object({ names: Type.Array(Type.String(), { maxItems: 2 }) })
const Whole = Type.Object({
  list: Type.Optional(Type.Array(Entry, { maxItems: 3 })),
  map: Type.Optional(StringMap({ maxProperties: 2 })),
  either: Type.Optional(Nullable(Type.Union([Type.Array(Type.Number(), { maxItems: 1 }), Entry]))),
})
const told = (value: unknown) => {
  const checked = validator(Whole)(value, 'body')
  return checked.ok ? [] : checked.errors.map(({ path, message }) => `${path} ${message}`)
}

describe('a value with too many entries', () => {
  test('is reported with every other failure within the counts', () => {
    const list = Array.from({ length: 5_000 }, () => 1)
    expect(told({ list, map: { a: 'x', b: 1, c: 1 } })).toEqual([
      'body.list must have at most 3 items',
      'body.map must have at most 2 keys',
      'body.list.0 must be an object',
      'body.list.1 must be an object',
      'body.list.2 must be an object',
      'body.map.b must be a string',
    ])
  })

  test('is reported with its path', () => {
    expect(told({ list: [{ names: ['a', 'b', 'c'] }] })).toEqual([
      'body.list.0.names must have at most 2 items',
    ])
    expect(told({ either: [1, 2] })).toEqual(['body.either must have at most 1 item'])
    expect(told({ either: { names: ['a', 'b', 'c'] } })).toEqual([
      'body.either.names must have at most 2 items',
    ])
  })
})

test('a value within its counts is not copied', () => {
  const value = { list: [{ names: ['a'] }], map: { a: 'x' }, either: null, other: [1, 2, 3, 4, 5] }
  expect(cutToCounts(Whole, value, '')).toEqual({ value, errors: [] })
  expect(cutToCounts(Whole, value, '').value).toBe(value)
})

test('entries beyond a count are not read, however many are invalid', () => {
  let reads = 0
  const item = () => new Proxy({}, { get: () => (reads += 1) })
  told({ list: Array.from({ length: 50_000 }, item) })
  const many = reads
  reads = 0
  told({ list: Array.from({ length: 3 }, item) })
  expect(many).toBeLessThanOrEqual(reads * 4)
})

test('at most as many unknown keys of closed objects are read as are reported', () => {
  const closed = { additionalProperties: false }
  const A = Type.Object({ a: Type.Optional(Type.String()) }, closed)
  const B = Type.Object({ b: Type.Optional(Type.String()) }, closed)
  const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`k${at}`, 1]))
  const sizeOf = (schema: object, value: object) =>
    Object.keys(cutToCounts(schema, value, '').value as object).length
  expect(sizeOf(A, { ...many, a: 1 })).toBe(202)
  expect(sizeOf(Type.Union([A, B]), { ...many, a: 1, b: 1 })).toBe(203)
  expect(sizeOf(Type.Union([A, Type.Object({})]), many)).toBe(50_000)
  const checked = validator(A)(many)
  expect(checked.ok ? [] : checked.errors).toHaveLength(201)
  expect(checked.ok ? null : checked.errors[0]).toEqual({ path: 'k0', message: 'is not a known field' })
})

test('one failure more than an answer lists is searched for', () => {
  const check = validator(Type.Array(Type.String(), { maxItems: 100_000 }))
  const checked = check(Array.from({ length: 90_000 }, () => 1))
  expect(checked.ok ? [] : checked.errors).toHaveLength(201)
})
