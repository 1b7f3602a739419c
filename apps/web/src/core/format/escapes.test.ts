import fc from 'fast-check'
import { expect, test } from 'vitest'
import { escapedText, unescapedText } from './escapes.ts'

test('a new line and a tab are written on one line, and read again', () => {
  expect(escapedText('\n\nUser:\t')).toBe('\\n\\nUser:\\t')
  expect(unescapedText('\\n\\nUser:\\t')).toBe('\n\nUser:\t')
})

test('a backslash before another letter is a backslash', () => {
  expect(unescapedText('C:\\dir')).toBe('C:\\dir')
})

test('every text survives a round trip, and fits on one line', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('\n', '\t', '\r', '\\', 'n', 't', ' ', 'a') }), (text) => {
      expect(escapedText(text)).not.toMatch(/[\n\t\r]/)
      expect(unescapedText(escapedText(text))).toBe(text)
    }),
  )
})
