import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareOutput } from './compare-output.ts'
import { containsText } from './contains-text.ts'

const pathsOf = (kind: 'equals' | 'contains', value: unknown, actual: unknown) =>
  compareOutput({ kind, value }, actual).map(({ path }) => path)

describe('an output that must equal', () => {
  test.each<[unknown, unknown, string[]]>([
    [{ a: 1, b: [1, { c: 'x' }] }, { b: [1, { c: 'x' }], a: 1 }, []],
    [{ a: 1 }, { a: 1, b: null }, ['output.b']],
    [{ a: 1, b: null }, { a: 1 }, ['output.b']],
    [[1, 2], [1], ['output.1']],
    [[], {}, ['output']],
    [null, 0, ['output']],
    ['1', 1, ['output']],
    [{ toString: 1 }, {}, ['output.toString']],
    [{ a: { b: 1 } }, { a: { b: 2 } }, ['output.a.b']],
  ])('%j and %j differ at %j', (value, actual, paths) => {
    expect(pathsOf('equals', value, actual)).toEqual(paths)
  })

  test('any JSON equals itself, and each value contains itself', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const copy: unknown = JSON.parse(JSON.stringify(value))
        expect(
          pathsOf('equals', copy, value === undefined ? null : JSON.parse(JSON.stringify(value))),
        ).toEqual([])
        expect(pathsOf('contains', copy, copy)).toEqual([])
      }),
    )
  })

  test('has at most twenty differences', () => {
    const list = Array.from({ length: 500 }, (_, at) => at)
    expect(compareOutput({ kind: 'equals', value: list }, list.toReversed())).toHaveLength(20)
  })
})

describe('an output that must contain', () => {
  test.each<[unknown, unknown, string[]]>([
    ['ell', 'hello', []],
    ['', 'hello', []],
    ['hello!', 'hello', ['output']],
    [{ a: 'b' }, { a: 'abc', z: 1 }, []],
    [{ a: 1 }, { z: 1 }, ['output.a']],
    [[1, 3], [1, 2, 3], []],
    [[3, 1], [1, 2, 3], ['output.1']],
    [[{ a: 'x' }], [{ b: 1 }, { a: 'xy' }], []],
    [[1, 1], [1], ['output.1']],
    [1, '1', ['output']],
  ])('%j is expected in %j and missing at %j', (value, actual, paths) => {
    expect(pathsOf('contains', value, actual)).toEqual(paths)
  })

  test("finds texts like the platform's search", () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 30 })
    fc.assert(
      fc.property(letters, letters, (text, wanted) => {
        expect(containsText(text, wanted)).toBe(text.includes(wanted))
      }),
    )
  })
})

describe('takes time linear in both', () => {
  const texts = { wanted: `${'ab'.repeat(30_000)}c`, actual: 'ab'.repeat(400_000) }
  const wide = Object.fromEntries(Array.from({ length: 6_500 }, (_, at) => [`k${at}`, 1]))
  const items = Array.from({ length: 45_000 }, () => ({}))
  test.each([
    // The product of both lengths is 48 billion steps.
    ['a long text in a longer one', texts.wanted, texts.actual, 'output'],
    // Every item lacks every field: 290 million steps, and a path for each.
    ['an object with many fields in a list of many objects', [wide], items, 'output.0'],
  ])('%s', (_, wanted, actual, path) => {
    const began = performance.now()
    expect(pathsOf('contains', wanted, actual)).toEqual([path])
    expect(performance.now() - began).toBeLessThan(2_000)
  })
})
