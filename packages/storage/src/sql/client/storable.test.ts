import { expect, test } from 'vitest'
import { storableJson } from './storable.ts'

test.each([
  ['\0', '\ufffd'],
  ['\\\0', '\\\ufffd'],
  ['\\\\\0', '\\\\\ufffd'],
  ['\ud800', '\ufffd'],
  ['a\udfff\\u0000', 'a\ufffd\\u0000'],
  ['\\u0000', '\\u0000'],
  ['\\\\u0000', '\\\\u0000'],
  ['\\ud800', '\\ud800'],
  ['\u{1f600}', '\u{1f600}'],
])('the key and text %j are stored as %j', (given, stored) => {
  expect(JSON.parse(storableJson({ [given]: [given] }))).toEqual({ [stored]: [stored] })
})
