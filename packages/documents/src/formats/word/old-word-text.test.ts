import { expect, test } from 'vitest'
import { oldWordText } from './old-word-text.ts'

// Built according to "Microsoft Word 6.0/95 binary file format"; the documents of Apache POI's tests
// (Word6_sections2.doc, word95err.doc and others) were also checked.
const TEXT_AT = 0x300

function stream(text: Buffer, { language = 0x0409, characterSet = 0 } = {}): Buffer {
  const bytes = Buffer.alloc(TEXT_AT + text.length)
  bytes.writeUInt16LE(0xa5dc, 0)
  bytes.writeUInt16LE(0x65, 2)
  bytes.writeUInt16LE(language, 0x06)
  bytes.writeUInt16LE(characterSet, 0x14)
  bytes.writeUInt32LE(TEXT_AT, 0x18)
  bytes.writeUInt32LE(TEXT_AT + text.length, 0x1c)
  text.copy(bytes, TEXT_AT)
  return bytes
}

/** A fast-saved document: the pieces in text order, each with its position in the file. */
function inPieces(pieces: readonly (readonly [text: string, place: number])[]): Buffer {
  const positions = [0]
  for (const [text] of pieces) positions.push((positions.at(-1) ?? 0) + text.length)
  const table = Buffer.alloc(positions.length * 4 + pieces.length * 8)
  for (const [index, position] of positions.entries()) table.writeUInt32LE(position, index * 4)
  const bytes = Buffer.alloc(0x600)
  for (const [index, [text, place]] of pieces.entries()) {
    table.writeUInt32LE(place, positions.length * 4 + index * 8 + 2)
    bytes.write(text, place, 'latin1')
  }
  bytes.writeUInt16LE(0x0004, 0x0a)
  // A list of formats comes first.
  const before = Buffer.from([1, 2, 0, 9, 9, 2, 0, 0, 0, 0])
  before.writeUInt32LE(table.length, 6)
  Buffer.concat([before, table]).copy(bytes, 0x400)
  bytes.writeUInt32LE(0x400, 0x160)
  bytes.writeUInt32LE(before.length + table.length, 0x164)
  return bytes
}

test.for([
  ['Western', Buffer.from('Gr\xfc\xdfe \x80', 'latin1'), {}, 'Grüße €'],
  ['Russian', Buffer.from('cff0e8e2e5f2', 'hex'), { language: 0x0419 }, 'Привет'],
  ['a Macintosh', Buffer.from('str\x8e', 'latin1'), { language: 0x040c, characterSet: 256 }, 'stré'],
] as const)('of %s letters', ([, text, header, expected]) => {
  expect(oldWordText(stream(text, header))).toBe(expected)
})

test('fields show their result, and cells and rows end', () => {
  const text = 'Page \x13 PAGE \x13 X \x14 y \x15 \x14' + '7\x15 of 9\rA\x07B\x07\x07C\x0bD\x01'
  expect(oldWordText(stream(Buffer.from(text, 'latin1')))).toBe('Page 7 of 9\nA\tB\nC\nD')
})

test('a document that was saved fast is read in the order of its text', () => {
  expect(
    oldWordText(
      inPieces([
        ['Hello ', 0x500],
        ['old ', 0x480],
        ['world', 0x5a0],
      ]),
    ),
  ).toBe('Hello old world')
})

test('a document of an East Asian Word has two bytes for each character', () => {
  const wide = stream(Buffer.from('価格 12', 'utf16le'))
  wide.writeUInt16LE(0x1000, 0x0a)
  expect(oldWordText(wide)).toBe('価格 12')
})

test('a document that contradicts itself is refused', () => {
  expect(() => oldWordText(Buffer.alloc(20))).toThrow(RangeError)
  const bytes = inPieces([['Hello', 0x500]])
  bytes.writeUInt8(7, 0x400)
  expect(() => oldWordText(bytes)).toThrow(RangeError)
  const repeated = inPieces(Array.from({ length: 40 }, () => ['x'.repeat(60), 0x480] as const))
  expect(() => oldWordText(repeated)).toThrow(RangeError)
})
