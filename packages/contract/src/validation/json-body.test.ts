import { describe, expect, test } from 'vitest'
import { DomainError } from '../errors/domain-error.ts'
import { MAX_BODY_BYTES, parseJsonBody } from './json-body.ts'
import { JSON_BUDGET } from './parse-json.ts'

const parse = (text: string) => parseJsonBody(Buffer.from(text))
function errorsOf(text: string | Buffer): unknown {
  try {
    parseJsonBody(Buffer.from(text as string))
  } catch (error) {
    if (error instanceof DomainError) return error.errors ?? error.message
    throw error
  }
  return null
}
const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`

test('JSON is parsed, an empty body is undefined, a byte order mark is ignored', () => {
  expect(parse('{"a":[1,"ü",null]}')).toEqual({ a: [1, 'ü', null] })
  expect(parse('')).toBeUndefined()
  expect(parse('\ufeff{}')).toEqual({})
})

test('text that is not JSON or no UTF-8 is refused', () => {
  expect(errorsOf('{"a":')).toEqual([{ path: 'body', message: 'is not valid JSON' }])
  expect(errorsOf(Buffer.from([0x22, 0xff, 0x22]))).toEqual([{ path: 'body', message: 'is not valid UTF-8' }])
})

describe('characters that PostgreSQL cannot store', () => {
  test.each([
    ['{"a":{"b":["x\\u0000y"]}}', 'a.b.0', 'must not contain NUL characters'],
    ['{"a":"\\ud800"}', 'a', 'must not contain lone surrogates'],
    ['{"a":"\\uDFFF x"}', 'a', 'must not contain lone surrogates'],
    ['{"a\\u0000":1}', 'body', 'must not contain NUL characters'],
  ])('%s', (text, path, message) => expect(errorsOf(text)).toEqual([{ path, message }]))

  test('pairs of surrogates and other escapes are accepted', () => {
    expect(parse('{"a":"\\ud83d\\ude00 \\u0041 \\\\u0000"}')).toEqual({ a: '😀 A \\u0000' })
  })
})

describe('keys that reach prototypes', () => {
  test.each([
    ['{"__proto__":{"admin":true}}', '__proto__'],
    ['{"a":{"\\u005f_proto__":1}}', 'a.__proto__'],
    ['{"a":[{"constructor":{"prototype":{}}}]}', 'a.0.constructor'],
  ])('%s is refused', (text, path) => {
    expect(errorsOf(text)).toEqual([{ path, message: 'is a reserved key' }])
  })

  test('the same words as text are accepted', () => {
    expect(parse('{"constructor":"Ferrari","a":"__proto__"}')).toEqual({
      constructor: 'Ferrari',
      a: '__proto__',
    })
  })
})

describe('numbers that JSON cannot reproduce', () => {
  test.each([
    ['{"a":[1e999]}', 'a.0'],
    ['{"a":{"b":-1E+400}}', 'a.b'],
    ['{"a":1e00309}', 'a'],
    [`{"a":${'9'.repeat(310)}}`, 'a'],
    [`{"a":${'9'.repeat(215)}e99}`, 'a'],
    ['1e999', 'body'],
  ])('%s is refused', (text, path) => {
    expect(errorsOf(text)).toEqual([{ path, message: 'must be a finite number' }])
  })

  test('large finite numbers and texts that look like numbers are accepted', () => {
    expect(parse('{"a":1e300,"b":"1e999"}')).toEqual({ a: 1e300, b: '1e999' })
  })

  test('every number that would change is refused with its path', () => {
    const send = 'send a number of so many digits as text'
    expect(errorsOf('{"a":{"b":[1,8202522731445525542]},"c":1e-999,"d":"9007199254740993"}')).toEqual([
      { path: 'a.b.1', message: `would change from 8202522731445525542 to 8202522731445526000: ${send}` },
      { path: 'c', message: `would change from 1e-999 to 0: ${send}` },
    ])
  })

  test('they are kept as texts where a refusal would lose the data', () => {
    const text = '{"a":8202522731445525542,"b":[0.1,1e999],"c":1}'
    const kept = parseJsonBody(Buffer.from(text), MAX_BODY_BYTES, 'text')
    expect(kept).toEqual({ a: '8202522731445525542', b: [0.1, '1e999'], c: 1 })
    expect(() => parseJsonBody(Buffer.from('{12345678901234567890:1}'), MAX_BODY_BYTES, 'text')).toThrow(
      'not valid JSON',
    )
  })
})

describe('a budget', () => {
  const { levels, values, keys, keyCharacters } = JSON_BUDGET

  test(`${levels} levels are read, one more is refused where it begins`, () => {
    expect(parse(nested(levels))).toBeTruthy()
    expect(errorsOf(`{"a":[1,{"b":${nested(levels)}}]}`)).toEqual([
      { path: expect.stringMatching(/^a\.1\.b(\.0)+$/), message: 'must not have more than 64 levels' },
    ])
  })

  test.each([
    ['brackets', nested(500_000), 'more than 64 levels'],
    ['members', `${'{"a":'.repeat(160_000)}1${'}'.repeat(160_000)}`, 'more than 64 levels'],
    ['numbers', `[${'1,'.repeat(500_000)}1]`, 'more than 100000 values'],
    ['empty objects', `[${'{},'.repeat(300_000)}{}]`, 'more than 100000 values'],
  ])('a megabyte of %s is refused before it is parsed', (_name, text, words) => {
    expect(errorsOf(text)).toMatchObject([{ message: `must not have ${words}` }])
  })

  test(`${values} values are read, one more is refused`, () => {
    const list = (count: number) => `[${Array.from({ length: count }, () => '{}').join(',')}]`
    expect(parse(list(values - 1))).toHaveLength(values - 1)
    expect(errorsOf(list(values))).toEqual([
      { path: 'body', message: `must not have more than ${values} values` },
    ])
  })

  test('a route that accepts more bytes accepts more values', () => {
    const text = `[${'1,'.repeat(values)}1]`
    expect(parseJsonBody(Buffer.from(text), 5 * MAX_BODY_BYTES)).toHaveLength(values + 1)
  })

  test(`objects of ${keys} keys are read, one of more is refused where it begins`, () => {
    const wide = (count: number) => `{${Array.from({ length: count }, (_, at) => `"k${at}":1`).join(',')}}`
    expect(parse(`{"a":[${wide(keys)},${wide(keys)}],"b":${wide(keys)}}`)).toBeTruthy()
    expect(errorsOf(`{"a":[${wide(keys)},${wide(keys + 1)}]}`)).toEqual([
      { path: 'a.1', message: `must not have an object of more than ${keys} keys` },
    ])
  })

  test(`a key of ${keyCharacters} characters is read, a longer one is refused where it is`, () => {
    const body = (length: number) => `{"a":{"${'k'.repeat(length)}":1}}`
    expect(parse(body(keyCharacters))).toBeTruthy()
    expect(errorsOf(body(keyCharacters + 1))).toEqual([
      {
        path: expect.stringMatching(/^a\.k{99}…$/),
        message: `must not have a key of more than ${keyCharacters} characters`,
      },
    ])
  })
})

test('failures below a long key yield a short answer', () => {
  const body = { ['k'.repeat(9_000)]: Array.from({ length: 20_000 }, () => ({ constructor: {} })) }
  const errors = errorsOf(JSON.stringify(body))
  expect(errors).toHaveLength(200)
  expect(JSON.stringify(errors).length).toBeLessThan(50_000)
  const deep = Array.from({ length: 60 }).reduce<unknown>((inner) => ({ ['k'.repeat(99)]: inner }), {
    constructor: {},
  })
  expect(errorsOf(JSON.stringify(deep))).toEqual([
    { path: expect.stringMatching(/^k[k.]{0,999}$/), message: 'is a reserved key' },
  ])
})
