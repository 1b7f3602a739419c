import { expect, test } from 'vitest'
import { isKeptTexts, itemOf, placedTexts, textsBeside, textsWithout } from './kept-texts.ts'

const HALF = { text: '{ "half": ', from: {}, label: 'As JSON' }

test('a text is forgotten alone', () => {
  const both = { '': HALF, 'tools.0': HALF }
  expect(textsWithout(both, {}, '')).toEqual({ 'tools.0': HALF })
  expect(textsWithout(both, {}, 'other')).toEqual(both)
})

test('a text stays with its item, wherever that is moved, and with its place where the item is only renamed', () => {
  const tools = (...names: string[]) => ({ tools: names.map((name) => ({ name })) })
  const path = 'tools.1.input_schema'
  const texts = { [path]: { ...HALF, item: itemOf(tools('a', 'b', 'c'), path) } }
  const placed = (...names: string[]) => placedTexts(texts, tools(...names)).map((text) => text.path)
  expect(placed('a', 'b', 'c')).toEqual([path])
  expect(placed('b', 'a', 'c')).toEqual(['tools.0.input_schema'])
  expect(placed('b', 'c')).toEqual(['tools.0.input_schema'])
  expect(placed('a', 'a', 'b', 'c')).toEqual(['tools.2.input_schema'])
  expect(placed('a', 'renamed', 'c')).toEqual([path])
  expect(textsWithout(texts, tools('b', 'a'), path)).toEqual(texts)
  expect(textsBeside(texts, tools('b', 'a'), 'tools.0')).toEqual({})
})

test('a text whose item was removed is left out; a setting that is only not set yet keeps its text', () => {
  const texts = { '': HALF, 'tools.0.input_schema': HALF, 'tools.1': HALF, response_schema: HALF }
  const paths = placedTexts(texts, { tools: [{ type: 'http' }] }).map(({ path }) => path)
  expect(paths).toEqual(['', 'tools.0.input_schema', 'response_schema'])
})

test('the texts of a setting that is removed go with it, those of its neighbours stay', () => {
  const texts = { '': HALF, 'tools.1': HALF, 'tools.1.input_schema': HALF, 'tools.10': HALF }
  expect(Object.keys(textsBeside(texts, {}, 'tools.1'))).toEqual(['', 'tools.10'])
})

test.each([
  [{ a: HALF }, true],
  [{ a: { text: 'x', label: 'As JSON' } }, true],
  [{ a: { text: 1, label: 'As JSON' } }, false],
  [{ a: 'x' }, false],
  [null, false],
  [[HALF], false],
])('what an older build may have left is checked: %j', (value, fits) => {
  expect(isKeptTexts(value)).toBe(fits)
})
