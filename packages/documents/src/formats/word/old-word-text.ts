import { CELL_OR_ROW_END, withoutMarks } from './word-marks.ts'

/** Offsets in the header of a Word 6 or 95 document ("Microsoft Word 6.0/95 binary file format", FIB). */
const FIB = {
  language: 0x06,
  flags: 0x0a,
  characterSet: 0x14,
  textBegin: 0x18,
  textEnd: 0x1c,
  pieces: 0x160,
  piecesLength: 0x164,
}
const HEADER_BYTES = 0x168
const IS_COMPLEX = 0x0004
/** `fExtChar`: two bytes for each character, as East Asian versions of Word 95 store them. */
const IS_WIDE = 0x1000
/** The character set of Word for the Macintosh. */
const MACINTOSH = 256
const RUSSIAN = 0x19
/** Entries of the piece table: a list of formats (1), then the table (2). */
const FORMATS = 1
const PIECES = 2
/**
 * A piece is described by the position of its first character, and eight bytes, four of which are the offset
 * of its text.
 */
const POSITION_BYTES = 4
const PIECE_BYTES = 8
const MOST_PIECES = 100_000

/** Code pages by the first ten bits of a language; all others are Windows-1252. */
const CODE_PAGES: Readonly<Record<number, string>> = {
  ...{ 2: 'windows-1251', 25: 'windows-1251', 34: 'windows-1251', 35: 'windows-1251', 47: 'windows-1251' },
  ...{ 5: 'windows-1250', 14: 'windows-1250', 21: 'windows-1250', 24: 'windows-1250', 26: 'windows-1250' },
  ...{ 27: 'windows-1250', 28: 'windows-1250', 36: 'windows-1250', 8: 'windows-1253', 31: 'windows-1254' },
  ...{ 13: 'windows-1255', 1: 'windows-1256', 37: 'windows-1257', 38: 'windows-1257', 39: 'windows-1257' },
  ...{ 17: 'shift_jis', 18: 'euc-kr', 4: 'gbk', 30: 'windows-874' },
}

/**
 * The text of a Word 6 or 95 document: body, notes, headers and comments, in the order of the file.
 *
 * @param stream the stream `WordDocument`
 * @throws RangeError when it contradicts itself
 */
export function oldWordText(stream: Buffer): string {
  if (stream.length < HEADER_BYTES) throw new RangeError('the header is truncated')
  const flags = stream.readUInt16LE(FIB.flags)
  const isWide = (flags & IS_WIDE) !== 0
  const bytes =
    (flags & IS_COMPLEX) === 0 ? wholeText(stream) : Buffer.concat(savedPieces(stream, isWide ? 2 : 1))
  const text = new TextDecoder(isWide ? 'utf-16le' : labelOf(stream)).decode(bytes)
  // A row ends with a mark after that of its last cell.
  return withoutMarks(text.replaceAll(CELL_OR_ROW_END + CELL_OR_ROW_END, '\n'))
}

function labelOf(stream: Buffer): string {
  const language = stream.readUInt16LE(FIB.language) & 0x3ff
  if (stream.readUInt16LE(FIB.characterSet) === MACINTOSH) {
    return language === RUSSIAN ? 'x-mac-cyrillic' : 'macintosh'
  }
  return CODE_PAGES[language] ?? 'windows-1252'
}

function wholeText(stream: Buffer): Buffer {
  return stream.subarray(stream.readUInt32LE(FIB.textBegin), stream.readUInt32LE(FIB.textEnd))
}

/** The text of a fast-saved document: in pieces, in any order in the file. */
function savedPieces(stream: Buffer, bytesOfCharacter: 1 | 2): Buffer[] {
  let at = stream.readUInt32LE(FIB.pieces)
  const end = at + stream.readUInt32LE(FIB.piecesLength)
  while (at < end && stream.readUInt8(at) === FORMATS) at += 3 + stream.readUInt16LE(at + 1)
  if (at >= end || stream.readUInt8(at) !== PIECES) throw new RangeError('there is no table of pieces')
  const length = stream.readUInt32LE(at + 1)
  const table = stream.subarray(at + 5, at + 5 + length)
  const count = Math.floor((length - POSITION_BYTES) / (POSITION_BYTES + PIECE_BYTES))
  if (count > MOST_PIECES) throw new RangeError('there are too many pieces')
  const parts: Buffer[] = []
  let bytes = 0
  for (let index = 0; index < count; index += 1) {
    const from = table.readUInt32LE(index * POSITION_BYTES)
    const to = table.readUInt32LE((index + 1) * POSITION_BYTES)
    const place = table.readUInt32LE((count + 1) * POSITION_BYTES + index * PIECE_BYTES + 2)
    const part = stream.subarray(place, place + Math.max(0, to - from) * bytesOfCharacter)
    // Pieces of a damaged table may overlap, and could add up to more than the file.
    bytes += part.length
    if (bytes > stream.length) throw new RangeError('the pieces are larger than the file')
    parts.push(part)
  }
  return parts
}
