import { expect, test } from 'vitest'
import { isKeptTexts, placedTexts, textsBeside, withKeptText } from './kept-texts.ts'

const HALF = { text: '{ "half": ', from: {}, label: 'As JSON' }

test('a text is kept by its path, and forgotten alone', () => {
  const both = withKeptText(withKeptText({}, '', HALF), 'tools.0', HALF)
  expect(Object.keys(both)).toEqual(['', 'tools.0'])
  expect(withKeptText(both, '', null)).toEqual({ 'tools.0': HALF })
  expect(withKeptText(both, 'other', null)).toEqual(both)
})

test('a text whose item was removed is left out; a setting that is only not set yet keeps its text', () => {
  const texts = { '': HALF, 'tools.0.input_schema': HALF, 'tools.1': HALF, response_schema: HALF }
  const paths = placedTexts(texts, { tools: [{ type: 'http' }] }).map(({ path }) => path)
  expect(paths).toEqual(['', 'tools.0.input_schema', 'response_schema'])
})

test('the texts of a setting that is removed go with it, those of its neighbours stay', () => {
  const texts = { '': HALF, 'tools.1': HALF, 'tools.1.input_schema': HALF, 'tools.10': HALF }
  expect(Object.keys(textsBeside(texts, 'tools.1'))).toEqual(['', 'tools.10'])
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
