import { expect, test } from 'vitest'
import { defineMissingFunctions } from './missing-functions.ts'
import { pageText } from './page-text.ts'

/** According to the proposals of ECMAScript 2026; this version of TypeScript lacks types for some. */
interface Defined {
  fromBase64(text: string): Uint8Array
  toBase64(): string
  toHex(): string
  getOrInsertComputed(key: string, compute: (key: string) => number): number
  getOrInsert(key: string, value: number): number
  sumPrecise(values: Iterable<number>): number
}

const as = (value: object) => value as unknown as Defined

test('functions that pdf.js calls and this Node lacks are added once', () => {
  defineMissingFunctions()
  const { fromBase64 } = as(Uint8Array)
  defineMissingFunctions()
  expect(as(Uint8Array).fromBase64).toBe(fromBase64)
  const bytes = as(Uint8Array).fromBase64('aGk/')
  expect(bytes).toEqual(new Uint8Array([104, 105, 63]))
  // Of a view of a larger buffer, only its own bytes are encoded.
  const view = new Uint8Array([0, 104, 105, 0]).subarray(1, 3)
  expect([as(view).toBase64(), as(view).toHex()]).toEqual(['aGk=', '6869'])
  const map = new Map([['a', 1]])
  expect(as(map).getOrInsertComputed('a', () => 2)).toBe(1)
  expect(as(map).getOrInsertComputed('b', (key) => key.length)).toBe(1)
  expect(as(map).getOrInsert('c', 3)).toBe(3)
  expect([...map]).toEqual([
    ['a', 1],
    ['b', 1],
    ['c', 3],
  ])
  expect(as(Math).sumPrecise([1, 2, 3.5])).toBe(6.5)
  expect(Object.keys(Uint8Array.prototype)).toEqual([])
})

test('texts of an XFA form, which have no place, are a line each', () => {
  const items = [{ str: 'Sponsor' }, { str: ' ' }, { str: 'Name' }]
  expect(pageText(items)).toBe('Sponsor\nName\n')
})
