import { expect, test } from 'vitest'
import { readableText, withoutEmpty } from './readable-text.ts'

test('a value is one key a line, lists and long texts are indented below their key', () => {
  expect(
    readableText({
      name: 'Ada',
      note: null,
      tags: ['a', 'b'],
      none: [],
      config: { text: 'one\ntwo', max: 3 },
    }),
  ).toBe(
    [
      'name: Ada',
      'note: –',
      'tags:',
      '  - a',
      '  - b',
      'none: []',
      'config:',
      '  text:',
      '    one',
      '    two',
      '  max: 3',
    ].join('\n'),
  )
})

test('items in a list begin beside their dash, and empty values can be omitted', () => {
  const value = { nodes: [{ id: 'start', position: { x: 0 }, parentId: null }], edges: [], config: {} }
  expect(readableText(withoutEmpty(value))).toBe(
    ['nodes:', '  - id: start', '    position:', '      x: 0'].join('\n'),
  )
})
