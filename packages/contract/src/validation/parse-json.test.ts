import { describe, expect, test } from 'vitest'
import { JSON_BUDGET, type JsonBudget, jsonExcess, parseJson } from './parse-json.ts'

const LEAST: JsonBudget = { characters: 1_000, levels: 2, values: 4, keys: 2, keyCharacters: 3 }

/** Counted on the parsed value, by another method than the product's. */
function sizeOf(value: unknown): { values: number; levels: number } {
  if (typeof value !== 'object' || value === null) return { values: 1, levels: 0 }
  const inner = Object.values(value).map(sizeOf)
  return {
    values: 1 + inner.reduce((sum, { values }) => sum + values, 0),
    levels: 1 + Math.max(0, ...inner.map(({ levels }) => levels)),
  }
}

describe('the size of a text', () => {
  test.each([
    '1',
    '"a"',
    '[]',
    '{}',
    '[ ]',
    '[[],[]]',
    '[1,2,3]',
    '{"a":{},"b":[ {} , [] ]}',
    '{"a,[{":"]},{","b":["\\"","\\\\",",[",{"c":"\\\\\\",["}]}',
    '{"\\u005b":[null,true,-1.5e3]}',
    ' { "a" : [ 1 , [ 2 , [ 3 ] ] ] } ',
  ])('%s is counted like its value', (text) => {
    const { values, levels } = sizeOf(JSON.parse(text))
    expect(jsonExcess(text, { ...JSON_BUDGET, values, levels })).toBeNull()
    expect(jsonExcess(text, { ...JSON_BUDGET, values: values - 1 })?.words).toBe(
      `more than ${values - 1} values`,
    )
    if (levels > 0) {
      expect(jsonExcess(text, { ...JSON_BUDGET, levels: levels - 1 })?.words).toBe(
        `more than ${levels - 1} levels`,
      )
    }
  })

  test('many real shapes are counted like their values', () => {
    const random = (seed: number) => () => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return seed / 2_147_483_648
    }
    for (let seed = 1; seed < 300; seed += 1) {
      const next = random(seed)
      const make = (left: number): unknown => {
        const kind = next()
        if (left === 0 || kind < 0.3) return ['x"\\', 1, null, '[{,'][Math.floor(next() * 4)]
        const members = Array.from({ length: Math.floor(next() * 4) }, () => make(left - 1))
        return kind < 0.6 ? members : Object.fromEntries(members.map((member, at) => [`k"${at}`, member]))
      }
      const value = make(6)
      const text = JSON.stringify(value, null, seed % 3)
      const { values, levels } = sizeOf(value)
      expect(jsonExcess(text, { ...JSON_BUDGET, values, levels }), text).toBeNull()
      expect(jsonExcess(text, { ...JSON_BUDGET, values: values - 1 }), text).not.toBeNull()
    }
  })
})

test.each([
  ['[1,2,3,4]', 'more than 4 values', ''],
  ['[[[1]]]', 'more than 2 levels', '0.0'],
  ['{"a":[1,{"b":2}]}', 'more than 2 levels', 'a.1'],
  ['{"a":1,"b":2,"c":3}', 'an object of more than 2 keys', ''],
  ['{"a":{"b":1,"c":2,"d":3}}', 'an object of more than 2 keys', 'a'],
  ['[{"a":1,"b":2,"a":3}]', 'an object of more than 2 keys', '0'],
  ['{"abc":1,"abcd":2}', 'a key of more than 3 characters', 'abcd'],
  [`"${'x'.repeat(1_000)}"`, 'more than 1000 characters', ''],
])('%s has %s', (text, words, path) => {
  expect(jsonExcess(text, LEAST)).toEqual({ words, path })
  expect(parseJson(text, LEAST)).toEqual({ ok: false, excess: words })
})

test.each([
  '',
  '{',
  '[1,',
  '"a',
  '{"a":1}}',
  ']',
  'nothing',
  '"\\',
  ']:]:{"a":1}',
])('%j is not JSON', (text) => {
  expect(parseJson(text)).toEqual({ ok: false, excess: null })
})

test('unmatched closing brackets end the count', () => {
  expect(jsonExcess(`${']:'.repeat(100)}[[[`, LEAST)).toBeNull()
})

test('a text within its budget is parsed to its value', () => {
  expect(parseJson('{"a":[1,"b"]}')).toEqual({ ok: true, value: { a: [1, 'b'] } })
})
