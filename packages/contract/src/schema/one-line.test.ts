import { expect, test } from 'vitest'
import { oneLine, withoutHidden } from './one-line.ts'

test.for<[string, string]>([
  ['invoice\u202efdp.exe', 'invoicefdp.exe'],
  ['a\u2066b\u2069c\u200ed\u061ce', 'abcde'],
  ['a\u200bb\u00ad\ufeffc\u3164', 'abc'],
  ['नमस्\u200dते 👩\u200d💻 ❤\ufe0f', 'नमस्\u200dते 👩\u200d💻 ❤\ufe0f'],
  ['a\ud800', 'a\ufffd'],
])('%j is shown as %j', ([text, shown]) => {
  expect(withoutHidden(text)).toBe(shown)
})

test.for<[string, string]>([
  [' a\r\n\tb\u2028c\u0085d ', 'a b c d'],
  ['a \u200b b\0', 'a b'],
  ['\u202e\u200b', ''],
])('%j is the line %j', ([text, line]) => {
  expect(oneLine(text)).toBe(line)
})
