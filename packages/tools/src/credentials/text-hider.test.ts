import fc from 'fast-check'
import { expect, test } from 'vitest'
import { textHider } from './text-hider.ts'

test.each([
  ['texts that follow each other', 'secret-1secret-1', '[hidden][hidden]'],
  ['texts that overlap', 'xabcdefghijky', 'x[hidden]y'],
  ['a text within another', 'secret-1-and-more', '[hidden]'],
  ['a text as JSON writes it', JSON.stringify('a"b\n'), '"[hidden]"'],
  ['no text', 'secret, abc', 'secret, abc'],
])('%s', (_, text, shown) => {
  expect(textHider(['secret-1', 'secret-1-and-more', 'abcdefg', 'efghijk', 'a"b\n', ''])(text)).toBe(shown)
})

test.each([
  ['the unfinished end of a text', 'got secr', 'got '],
  ['a whole text', 'got secret-1', 'got [hidden]'],
  ['a whole text whose end begins another', 'got abcdefg', 'got [hidden]'],
])('of a truncated text, %s is hidden', (_, text, shown) => {
  expect(textHider(['secret-1', 'abcdefg', 'efghijk'])(text, true)).toBe(shown)
})

test('no hidden text is left, and a text without one is unchanged', () => {
  const texts = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 5 }))
  const given = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '-'), maxLength: 40 })
  fc.assert(
    fc.property(texts, given, (hidden, text) => {
      const shown = textHider(hidden)(text)
      const rest = shown.split('[hidden]')
      for (const one of hidden) expect(rest.some((part) => part.includes(one))).toBe(false)
      if (!hidden.some((one) => text.includes(one))) expect(shown).toBe(text)
    }),
  )
})
