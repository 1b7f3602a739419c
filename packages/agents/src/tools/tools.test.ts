import { canonicalJson } from '@troupe/contract'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LoopGuard } from './loop-guard.ts'
import { readArguments } from './read-arguments.ts'
import { shorten } from './shorten.ts'

test('a text that fits is unchanged, and another one keeps its head and its tail within the limit', () => {
  const text = fc.string({ unit: 'binary', maxLength: 400 })
  fc.assert(
    fc.property(text, fc.integer({ min: 100, max: 600 }), (given, limit) => {
      const whole = given.toWellFormed()
      const short = shorten(whole, limit)
      expect(Buffer.byteLength(short)).toBeLessThanOrEqual(Math.max(limit, 0))
      if (Buffer.byteLength(whole) <= limit) expect(short).toBe(whole)
      else {
        const [head, tail] = short.split(/\n… \[\d+ bytes left out\] …\n/)
        const plain = whole.replaceAll('\ufffd', '')
        expect(plain.startsWith(head ?? '?')).toBe(true)
        expect(plain.endsWith(tail ?? '?')).toBe(true)
      }
    }),
  )
})

test('the order of keys is ignored, the order of a list is not', () => {
  expect(canonicalJson({ b: [{ d: 1, c: 2 }], a: null })).toBe('{"a":null,"b":[{"c":2,"d":1}]}')
  expect(canonicalJson([2, 1])).not.toBe(canonicalJson([1, 2]))
})

test('equal calls are counted by name and arguments, and refused from the limit on', () => {
  const guard = new LoopGuard(2)
  expect(guard.refuses('a', { x: 1, y: 2 })).toBe(false)
  expect(guard.refuses('b', { x: 1, y: 2 })).toBe(false)
  expect(guard.refuses('a', { x: 1 })).toBe(false)
  expect(guard.refuses('a', { y: 2, x: 1 })).toBe(true)
  expect(guard.refuses('a', { y: 2, x: 1 })).toBe(true)
})

test('any text of a model is read as an object or a problem', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      const read = readArguments(text)
      if (read.ok) expect(Object.getPrototypeOf(read.input)).toBe(Object.prototype)
      else expect(read.problem).toMatch(/^The arguments /)
    }),
  )
})

test.each([
  [
    '60,000 levels',
    `{"a":${'['.repeat(60_000)}${']'.repeat(60_000)}}`,
    'The arguments have more than 64 levels.',
  ],
  ['120,001 values', `{"a":[${'1,'.repeat(120_000)}1]}`, 'The arguments have more than 100000 values.'],
  ['300,000 characters', `{"a":"${'x'.repeat(300_000)}"}`, 'The arguments have more than 262144 characters.'],
])('arguments with %s are a problem that is named', (_name, text, problem) => {
  expect(readArguments(text)).toEqual({ ok: false, problem })
})
