import { expect, test } from 'vitest'
import { docText } from './doc-text.ts'

// Built according to [MS-DOC] (FIB, Clx, ChpxFkp, PapxFkp, PlcfHdd, Sprm); the parser was also checked with the 161
// documents of Apache POI's tests.
const TEXT_AT = 0x600
const PAGE = 512

interface Piece {
  text: string
  place: number
  isCompressed?: boolean
}

/** Properties of the bytes from `from` to `to` of the stream. */
interface Run {
  from: number
  to: number
  properties: readonly number[]
}

interface Parts {
  pieces: readonly Piece[]
  /** Lengths of texts by their offset in the header; the remaining text is the body. */
  lengths?: Readonly<Record<number, number>>
  characters?: readonly Run[]
  paragraphs?: readonly Run[]
  stories?: readonly number[]
}

function read({ pieces, lengths = {}, characters = [], paragraphs = [], stories = [] }: Parts) {
  const word = Buffer.alloc(0x2000)
  const tables: Buffer[] = [Buffer.alloc(16)]
  const table = (field: number, content: Buffer) => {
    word.writeUInt32LE(Buffer.concat(tables).length, field)
    word.writeUInt32LE(content.length, field + 4)
    tables.push(content)
  }
  const plc = Buffer.alloc(4 * (pieces.length + 1) + 8 * pieces.length)
  let at = 0
  for (const [index, { text, place, isCompressed }] of pieces.entries()) {
    word.write(text, place, isCompressed ? 'latin1' : 'utf16le')
    at += text.length
    plc.writeUInt32LE(at, 4 * (index + 1))
    plc.writeUInt32LE(isCompressed ? 0x4000_0000 + place * 2 : place, 4 * (pieces.length + 1) + 8 * index + 2)
  }
  const size = Buffer.alloc(4)
  size.writeUInt32LE(plc.length)
  // A list of formats comes first.
  table(0x1a2, Buffer.concat([Buffer.from([1, 2, 0, 9, 9, 2]), size, plc]))
  const others = Object.entries(lengths)
  for (const [field, length] of others) word.writeUInt32LE(length, Number(field))
  word.writeUInt32LE(at - others.reduce((sum, [, length]) => sum + length, 0), 0x4c)
  for (const [field, page, runs] of [
    [0xfa, 12, characters],
    [0x102, 13, paragraphs],
  ] as const) {
    pageOf(runs, field === 0xfa ? 1 : 13).copy(word, page * PAGE)
    const list = Buffer.alloc(12)
    list.writeUInt32LE(page, 8)
    table(field, list)
  }
  const positions = Buffer.alloc(4 * stories.length)
  for (const [index, story] of stories.entries()) positions.writeUInt32LE(story, 4 * index)
  table(0xf2, positions)
  return docText(word, Buffer.concat(tables))
}

function pageOf(runs: readonly Run[], bytesOfRun: number): Buffer {
  const page = Buffer.alloc(PAGE)
  let free = 400
  for (const [index, { from, to, properties }] of runs.entries()) {
    page.writeUInt32LE(from, 4 * index)
    page.writeUInt32LE(to, 4 * (index + 1))
    page.writeUInt8(free / 2, 4 * (runs.length + 1) + bytesOfRun * index)
    // A paragraph's properties: no odd length, the length in words, and the style number.
    const style = bytesOfRun === 1 ? [properties.length] : [0, (properties.length + 3) >> 1, 0, 0]
    Buffer.from([...style, ...properties]).copy(page, free)
    free += 20
  }
  page.writeUInt8(runs.length, PAGE - 1)
  return page
}

const one = (text: string): Piece => ({ text, place: TEXT_AT })

test('a document that was saved fast is read in the order of its text, with one or two bytes for a character', () => {
  const { body } = read({
    pieces: [
      { text: 'Grüße – ', place: 0x900 },
      { text: 'caf\x80 ', place: 0x700, isCompressed: true },
      { text: '漢字', place: 0x800 },
    ],
  })
  expect(body).toBe('Grüße – caf€ 漢字')
})

test('deleted text is omitted within its piece', () => {
  const { body } = read({
    pieces: [
      { text: 'September 1728', place: 0x900 },
      { text: ', 1999', place: 0x700, isCompressed: true },
    ],
    // "17" was changed to "28".
    characters: [{ from: 0x900 + 20, to: 0x900 + 24, properties: [0x00, 0x08, 1] }],
  })
  expect(body).toBe('September 28, 1999')
})

test.for<[string, readonly number[]]>([
  ['an odd character spacing', [0x40, 0x88, 1, 0]],
  ['a colour of right-to-left text', [0x60, 0x4a, 1, 0]],
  ['a deletion that is switched off', [0x00, 0x08, 0]],
  ['the value of another property', [0x03, 0x6a, 0x00, 0x08, 0x01, 0x00]],
])('%s deletes nothing', ([, properties]) => {
  const { body } = read({
    pieces: [one('Kept')],
    characters: [{ from: TEXT_AT, to: TEXT_AT + 8, properties }],
  })
  expect(body).toBe('Kept')
})

test('rows end in a line, even after an empty cell, and fields show their result', () => {
  const text = 'A\x07\x07\x07B\x07\x07' + 'Page \x13 PAGE \x147\x15\rC\x1eD\x01'
  const rowEnd = (index: number) => ({ from: TEXT_AT + 2 * index, to: TEXT_AT + 2 * index + 2 })
  const { body } = read({
    pieces: [one(text)],
    paragraphs: [
      { from: TEXT_AT, to: TEXT_AT + 6, properties: [] },
      { ...rowEnd(3), properties: [0x16, 0x24, 1, 0x17, 0x24, 1] },
      { from: TEXT_AT + 8, to: TEXT_AT + 12, properties: [0x16, 0x24, 1] },
      { ...rowEnd(6), properties: [0x17, 0x24, 1, 0] },
    ],
  })
  expect(body).toBe('A\t\t\nB\t\nPage 7\nC-D')
})

test('a field without its end hides nothing', () => {
  expect(read({ pieces: [one('Before \x13 PAGE and all that follows')] }).body).toBe(
    'Before  PAGE and all that follows',
  )
})

test('notes, comments, boxes, headers and footers are apart', () => {
  const story = ['sep', 'even\r', 'odd\r', 'low\r', 'foot\r', 'first\r', 'last\r'].join('')
  const parts = { 80: 'note', 84: story, 92: 'comment', 96: 'end', 100: 'box', 104: 'top' }
  const text = `Body${Object.values(parts).join('')}`
  expect(
    read({
      pieces: [one(text)],
      lengths: Object.fromEntries(Object.entries(parts).map(([field, part]) => [field, part.length])),
      stories: [0, 3, 3, 3, 3, 3, 3, 8, 12, 16, 21, 27, 32, 32],
    }),
  ).toEqual({
    headers: 'even\nodd\nfirst\ntop',
    body: 'Body',
    textBoxes: 'box',
    footnotes: 'note',
    endnotes: 'end',
    comments: 'comment',
    footers: 'low\nfoot\nlast\n',
  })
})

test('a document that contradicts itself is refused', () => {
  expect(() => docText(Buffer.alloc(20), Buffer.alloc(0))).toThrow(RangeError)
  expect(() => docText(Buffer.alloc(0x400), Buffer.alloc(20))).toThrow(RangeError)
  const same = Array.from({ length: 200 }, () => one('x'.repeat(60)))
  expect(() => read({ pieces: same })).toThrow('larger than the file')
})

test('damaged formats cost none of the text', () => {
  expect(
    read({
      pieces: [one('Text')],
      characters: [{ from: 5, to: 2, properties: [0x00, 0x08, 1] }],
      paragraphs: [{ from: 0xffff_0000, to: 0xffff_ffff, properties: [0x08, 0xd6, 0xff, 0xff] }],
    }).body,
  ).toBe('Text')
})
