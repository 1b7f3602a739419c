import { CELL_OR_ROW_END, withoutMarks } from './word-marks.ts'

/** Offsets in the header of a Word 97 document ([MS-DOC] 2.5, FIB). Tables are an offset in the table stream and a length. */
const FIB = {
  bodyLength: 0x4c,
  footnotesLength: 0x50,
  headersLength: 0x54,
  commentsLength: 0x5c,
  endnotesLength: 0x60,
  textBoxesLength: 0x64,
  headerTextBoxesLength: 0x68,
  headerStories: 0xf2,
  characterPages: 0xfa,
  paragraphPages: 0x102,
  pieces: 0x1a2,
}
const HEADER_BYTES = 0x1aa

/** Parts of the table of pieces ([MS-DOC] 2.9.38, Clx). */
const FORMATS = 1
const PIECES = 2
const POSITION_BYTES = 4
const PIECE_BYTES = 8
const MAX_PIECES = 100_000
/** The text of the piece has one byte for each character ([MS-DOC] 2.9.73, FcCompressed). */
const IS_COMPRESSED = 0x4000_0000

/** Formats are stored in pages of this size ([MS-DOC] 2.9.33, 2.9.174); the last byte counts the runs of a page. */
const PAGE_BYTES = 512
const PAGE_NUMBER_BYTES = 4
/** Bytes of a run in its page; the first is half the offset of its properties. */
const CHARACTER_RUN_BYTES = 1
const PARAGRAPH_RUN_BYTES = 13

/** Properties ([MS-DOC] 2.6). */
const IS_DELETED = 0x0800
const IS_ROW_END = 0x2417
const TABLE_DEFINITION = 0xd608

/** Separators of footnotes and endnotes come before the headers of the first section. */
const SEPARATOR_STORIES = 6
/** The stories of a section: even and odd header, even and odd footer, first header, first footer. */
const STORIES_OF_SECTION = 6
const HEADER_STORIES: readonly number[] = [0, 1, 4]

/** The texts of a Word document, in reading order. */
export interface DocText {
  headers: string
  body: string
  textBoxes: string
  footnotes: string
  endnotes: string
  comments: string
  footers: string
}

/** Bytes of the stream `WordDocument`, from inclusive, to exclusive. */
interface Range {
  from: number
  to: number
}

interface Piece {
  place: number
  bytesOfCharacter: 1 | 2
  bytes: Buffer
}

/**
 * The text of a document of Word 97 or later, without text deleted under *Track changes*. Damaged formats lose no text.
 *
 * @param word the stream `WordDocument`
 * @param table the stream `0Table` or `1Table`, as the header says
 * @throws RangeError when it contradicts itself
 */
export function docText(word: Buffer, table: Buffer): DocText {
  if (word.length < HEADER_BYTES) throw new RangeError('the header is truncated')
  const deleted = formattedAs(
    IS_DELETED,
    { word, pages: pagesOf(word, table, FIB.characterPages) },
    (page, at) => {
      const length = page[at] ?? 0
      return page.subarray(at + 1, at + 1 + length)
    },
  )
  const rowEnds = formattedAs(
    IS_ROW_END,
    { word, pages: pagesOf(word, table, FIB.paragraphPages) },
    paragraphProperties,
  )
  const all = piecesOf(word, table)
    .map((piece) => textOf(piece, deleted, rowEnds))
    .join('')
  let at = 0
  const next = (length: number) => {
    const from = at
    at += word.readUInt32LE(length)
    return all.slice(from, at)
  }
  // In the order of the file.
  const body = next(FIB.bodyLength)
  const footnotes = next(FIB.footnotesLength)
  const stories = storiesOf(next(FIB.headersLength), tableAt(word, table, FIB.headerStories))
  const comments = next(FIB.commentsLength)
  const endnotes = next(FIB.endnotesLength)
  const textBoxes = next(FIB.textBoxesLength)
  const headerTextBoxes = next(FIB.headerTextBoxesLength)
  return {
    headers: withoutMarks(stories.headers + headerTextBoxes),
    body: withoutMarks(body),
    textBoxes: withoutMarks(textBoxes),
    footnotes: withoutMarks(footnotes),
    endnotes: withoutMarks(endnotes),
    comments: withoutMarks(comments),
    footers: withoutMarks(stories.footers),
  }
}

function tableAt(word: Buffer, table: Buffer, field: number): Buffer {
  const from = word.readUInt32LE(field)
  return table.subarray(from, from + word.readUInt32LE(field + 4))
}

/** The pieces in the order of the text, which is not their order in the file. */
function piecesOf(word: Buffer, table: Buffer): Piece[] {
  const clx = tableAt(word, table, FIB.pieces)
  let at = 0
  while (at + 3 <= clx.length && clx[at] === FORMATS) at += 3 + clx.readUInt16LE(at + 1)
  if (clx[at] !== PIECES) throw new RangeError('there is no table of pieces')
  const length = clx.readUInt32LE(at + 1)
  const plc = clx.subarray(at + 5, at + 5 + length)
  const count = Math.floor((plc.length - POSITION_BYTES) / (POSITION_BYTES + PIECE_BYTES))
  if (count > MAX_PIECES) throw new RangeError('there are too many pieces')
  const pieces: Piece[] = []
  let total = 0
  for (let index = 0; index < count; index += 1) {
    const from = plc.readUInt32LE(index * POSITION_BYTES)
    const to = plc.readUInt32LE((index + 1) * POSITION_BYTES)
    const stored = plc.readUInt32LE((count + 1) * POSITION_BYTES + index * PIECE_BYTES + 2)
    const isCompressed = (stored & IS_COMPRESSED) !== 0
    const bytesOfCharacter = isCompressed ? 1 : 2
    const place = isCompressed ? (stored & (IS_COMPRESSED - 1)) / 2 : stored
    const bytes = word.subarray(place, place + Math.max(0, to - from) * bytesOfCharacter)
    // Pieces of a damaged table may overlap, and could add up to more than the file.
    total += bytes.length
    if (total > word.length) throw new RangeError('the pieces are larger than the file')
    pieces.push({ place, bytesOfCharacter, bytes })
  }
  return pieces
}

const ONE_BYTE = new TextDecoder('windows-1252')

/** One UTF-16 unit for each character of the piece; deleted ones are 0. */
function textOf(
  { place, bytesOfCharacter, bytes }: Piece,
  deleted: readonly Range[],
  rowEnds: readonly Range[],
): string {
  const text = bytesOfCharacter === 1 ? ONE_BYTE.decode(bytes) : bytes.toString('utf16le')
  const within = { from: place, to: place + bytes.length }
  const inPiece = (ranges: readonly Range[]) =>
    overlapping(ranges, within).map(({ from, to }) => ({
      from: Math.max(0, Math.floor((from - place) / bytesOfCharacter)),
      to: Math.min(text.length, Math.ceil((to - place) / bytesOfCharacter)),
    }))
  return replaced(
    replaced(text, inPiece(rowEnds), (part) => part.replaceAll(CELL_OR_ROW_END, '\n')),
    inPiece(deleted),
    (part) => '\0'.repeat(part.length),
  )
}

function replaced(text: string, ranges: readonly Range[], by: (part: string) => string): string {
  if (ranges.length === 0) return text
  const parts: string[] = []
  let at = 0
  for (const { from, to } of ranges) {
    parts.push(text.slice(at, from), by(text.slice(from, to)))
    at = to
  }
  parts.push(text.slice(at))
  return parts.join('')
}

/** `ranges` are sorted and disjoint. */
function overlapping(ranges: readonly Range[], { from, to }: Range): Range[] {
  let low = 0
  let high = ranges.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ranges[middle]?.to ?? 0) <= from) low = middle + 1
    else high = middle
  }
  const found: Range[] = []
  for (let range = ranges[low]; range !== undefined && range.from < to; range = ranges[low]) {
    found.push(range)
    low += 1
  }
  return found
}

/** The pages of formats that a table names, each once. */
function pagesOf(word: Buffer, table: Buffer, field: number): Set<number> {
  const plc = tableAt(word, table, field)
  const count = Math.floor((plc.length - POSITION_BYTES) / (POSITION_BYTES + PAGE_NUMBER_BYTES))
  const pages = new Set<number>()
  for (let index = 0; index < count; index += 1) {
    pages.add(plc.readUInt32LE((count + 1) * POSITION_BYTES + index * PAGE_NUMBER_BYTES))
  }
  return pages
}

/** The ranges of text with a property, sorted and merged. */
function formattedAs(
  property: typeof IS_DELETED | typeof IS_ROW_END,
  { word, pages }: { word: Buffer; pages: ReadonlySet<number> },
  propertiesAt: (page: Buffer, at: number) => Buffer,
): Range[] {
  const runBytes = property === IS_DELETED ? CHARACTER_RUN_BYTES : PARAGRAPH_RUN_BYTES
  const found: Range[] = []
  for (const number of pages) {
    const page = word.subarray(number * PAGE_BYTES, (number + 1) * PAGE_BYTES)
    if (page.length < PAGE_BYTES) continue
    const runs = Math.min(
      page[PAGE_BYTES - 1] ?? 0,
      Math.floor((PAGE_BYTES - 1 - POSITION_BYTES) / (POSITION_BYTES + runBytes)),
    )
    for (let run = 0; run < runs; run += 1) {
      const at = (page[(runs + 1) * POSITION_BYTES + run * runBytes] ?? 0) * 2
      if (at === 0 || !hasProperty(propertiesAt(page, at), property)) continue
      const from = page.readUInt32LE(run * POSITION_BYTES)
      const to = page.readUInt32LE((run + 1) * POSITION_BYTES)
      if (from < to) found.push({ from, to })
    }
  }
  found.sort((a, b) => a.from - b.from)
  const joined: Range[] = []
  for (const range of found) {
    const last = joined.at(-1)
    if (last !== undefined && range.from <= last.to) last.to = Math.max(last.to, range.to)
    else joined.push(range)
  }
  return joined
}

/** [MS-DOC] 2.9.175, PapxInFkp: a length in words, then the number of the style, then properties. */
function paragraphProperties(page: Buffer, at: number): Buffer {
  const words = page[at] ?? 0
  const [from, length] = words === 0 ? [at + 2, 2 * (page[at + 1] ?? 0)] : [at + 1, 2 * words - 1]
  return page.subarray(from + 2, from + length)
}

/**
 * Whether a property is switched on. The top three bits of its number encode the length of its value ([MS-DOC] 2.2.5.1,
 * Sprm).
 */
function hasProperty(properties: Buffer, property: number): boolean {
  let isOn = false
  let at = 0
  while (at + 3 <= properties.length) {
    const number = properties.readUInt16LE(at)
    at += 2
    if (number === property) isOn = ((properties[at] ?? 0) & 1) === 1
    at += valueBytes(properties, number, at)
  }
  return isOn
}

function valueBytes(properties: Buffer, number: number, at: number): number {
  switch (number >> 13) {
    case 0:
    case 1:
      return 1
    case 3:
      return 4
    case 6:
      return number === TABLE_DEFINITION && at + 2 <= properties.length
        ? properties.readUInt16LE(at) + 1
        : (properties[at] ?? 0) + 1
    case 7:
      return 3
    default:
      return 2
  }
}

/** Headers and footers of all sections. Each is followed by an invisible paragraph mark. */
function storiesOf(text: string, plc: Buffer): { headers: string; footers: string } {
  const headers: string[] = []
  const footers: string[] = []
  const count = Math.floor(plc.length / POSITION_BYTES) - 1
  for (let index = SEPARATOR_STORIES; index < count; index += 1) {
    const from = plc.readUInt32LE(index * POSITION_BYTES)
    const to = plc.readUInt32LE((index + 1) * POSITION_BYTES)
    if (from >= text.length || to <= from) continue
    const kind = (index - SEPARATOR_STORIES) % STORIES_OF_SECTION
    const list = HEADER_STORIES.includes(kind) ? headers : footers
    list.push(text.slice(from, to))
  }
  return { headers: headers.join(''), footers: footers.join('') }
}
