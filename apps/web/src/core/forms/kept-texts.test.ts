import { itemIdentity } from '@troupe/editor/values/item-pairs'
import { expect, test } from 'vitest'
import {
  isPlacedTexts,
  type PlacedText,
  placedText,
  textOfField,
  textsBeside,
  textsIn,
} from './kept-texts.ts'

const HALF = { text: '{ "half": ', from: {}, label: 'As JSON' }
const tools = (...names: string[]) => ({ tools: names.map((name) => ({ name })) })
const at = (path: string, config = tools('a', 'b', 'c')) => placedText(HALF, path, config)
/** The place of a text; `gone` without a field. */
const placeOf = ([text]: readonly PlacedText[]) => (text?.isGone ? 'gone' : text?.path)

const PATH = 'tools.1.input_schema'

test('a stored text is found with its item, wherever that was moved in the meantime', () => {
  const found = (...names: string[]) => placeOf(textsIn([at(PATH)], tools(...names)))
  expect(found('a', 'b', 'c')).toBe(PATH)
  expect(found('b', 'a', 'c')).toBe('tools.0.input_schema')
  expect(found('b', 'c')).toBe('tools.0.input_schema')
  expect(found('a', 'a', 'b', 'c')).toBe('tools.2.input_schema')
})

test('a stored text keeps its place where the item was renamed in the meantime, and never moves to another item', () => {
  const found = (...names: string[]) => placeOf(textsIn([at(PATH)], tools(...names)))
  expect(found('a', 'renamed', 'c')).toBe(PATH)
  expect(found('c', 'renamed', 'a')).toBe(PATH)
  expect(found('a', 'c')).toBe('gone')
  expect(found('a', 'c', 'd', 'e')).toBe('gone')
  expect(found('a', 'c', 'd')).toBe('gone')
  expect(found('a', 'x', 'y')).toBe('gone')
  const other = { tools: [{ name: 'a' }, { type: 'builtin', builtin: 'calculator' }, { name: 'c' }] }
  expect(placeOf(textsIn([at(PATH)], other))).toBe('gone')
  expect(found()).toBe('gone')
})

test('a text follows its item through every change, even after a new name', () => {
  const renamed = tools('a', 'z', 'c')
  const moved = { tools: [renamed.tools[1], renamed.tools[0], renamed.tools[2]] }
  const after = textsIn([at(PATH)], renamed)
  expect(placeOf(after)).toBe(PATH)
  const then = textsIn(after, moved)
  expect(placeOf(then)).toBe('tools.0.input_schema')
  // Another tool with the old name gets nothing, and the stored text now belongs to the new one.
  const added = { tools: [...moved.tools, { name: 'b' }] }
  expect(placeOf(textsIn(then, added))).toBe('tools.0.input_schema')
  expect(placeOf(textsIn(then, tools('a', 'c', 'z')))).toBe('tools.2.input_schema')
})

test('texts of two items change their places with them, and none replaces the other', () => {
  const before = tools('a', 'b')
  const after = { tools: before.tools.toReversed() }
  const texts = [at('tools.0', before), { ...at('tools.1', before), text: '[' }]
  const moved = textsIn(texts, after)
  expect(textOfField(moved, 'tools.0')?.text).toBe('[')
  expect(textOfField(moved, 'tools.1')?.text).toBe(HALF.text)
})

test('a text of a removed item has no field, and has it again when the item is restored', () => {
  const gone = textsIn([at(PATH)], tools('a', 'c'))
  expect(placeOf(gone)).toBe('gone')
  expect(textOfField(gone, PATH)).toBeUndefined()
  expect(placeOf(textsIn(gone, tools('a', 'c', 'b')))).toBe('tools.2.input_schema')
  // A new item that restores the length of the list is not its item.
  for (const names of [
    ['a', 'c', 'd'],
    ['a', 'd', 'c'],
  ]) {
    expect(placeOf(textsIn(gone, tools(...names)))).toBe('gone')
  }
})

test('a text stays with a rule that is changed beside another one that looks like it', () => {
  const rule = (message: string) => ({ type: 'pii', message })
  const text = placedText(HALF, 'rules.1.config', { rules: [rule('a'), rule('b')] })
  expect(placeOf(textsIn([text], { rules: [rule('a'), rule('changed')] }))).toBe('rules.1.config')
  expect(placeOf(textsIn([text], { rules: [rule('x'), rule('y')] }))).toBe('rules.1.config')
  expect(placeOf(textsIn([text], { rules: [rule('b')] }))).toBe('rules.0.config')
})

test('a text does not move to an item with which a colleague has replaced its own', () => {
  const before = tools('a', 'b', 'c')
  const replaced = { tools: [before.tools[0], { type: 'builtin', builtin: 'calculator' }, before.tools[2]] }
  expect(placeOf(textsIn([at(PATH)], replaced))).toBe('gone')
  expect(placeOf(textsIn([at(PATH)], tools('a', 'x', 'z', 'c')))).toBe('gone')
})

test('a text stored by an earlier build is found by the identity of its item, and follows it from then on', () => {
  const [, b] = tools('a', 'b').tools
  const earlier = {
    ...HALF,
    path: PATH,
    item: { identity: itemIdentity(b ?? {}), type: undefined, others: [] },
  }
  const texts = isPlacedTexts([earlier]) ? [earlier] : []
  const found = textsIn(texts, tools('a', 'b', 'c'))
  expect(placeOf(found)).toBe(PATH)
  expect(placeOf(textsIn(found, tools('b', 'a', 'c')))).toBe('tools.0.input_schema')
  expect(placeOf(textsIn(texts, tools('b', 'a', 'c')))).toBe('tools.0.input_schema')
  const gone = textsIn(texts, tools('a', 'c'))
  expect(placeOf(gone)).toBe('gone')
  expect(placeOf(textsIn(gone, tools('a', 'c', 'b')))).toBe('tools.2.input_schema')
})

test('a text of a setting outside lists stays at its place', () => {
  const schema = at('response_schema')
  expect(textsIn([schema], {})).toEqual([schema])
})

test('the texts of a setting that is removed go with it, those of its neighbours stay', () => {
  const texts = ['', 'tools.1', PATH, 'tools.10'].map((path) => at(path))
  expect(textsBeside(texts, 'tools.1').map(({ path }) => path)).toEqual(['', 'tools.10'])
})

test.each([
  [[at(PATH)], true],
  [[{ text: 'x', label: 'As JSON', path: '' }], true],
  [[{ ...HALF, path: 'tools.0', items: 'a' }], false],
  [[{ text: 1, label: 'As JSON', path: '' }], false],
  [[{ text: 'x', label: 'As JSON' }], false],
  [{ '': HALF }, false],
  [null, false],
])('data of an older build is validated: %j', (value, fits) => {
  expect(isPlacedTexts(value)).toBe(fits)
})
