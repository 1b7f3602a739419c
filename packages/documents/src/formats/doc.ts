import { CFB } from '@e965/xlsx'
import { type ParsedText, RefusedDocument } from './unreadable.ts'
import { docText } from './word/doc-text.ts'
import { oldWordText } from './word/old-word-text.ts'

/** Word 97 and later; the field `nFib` of older files is smaller ([MS-DOC] 2.5.2, "Microsoft Word 6.0/95 binary file format"). */
const WORD_97 = 0x00c1
const HEADER_BYTES = 12
/** `fEncrypted` among the flags of the header. */
const ENCRYPTED = 0x0100
/** `fWhichTblStm`: the tables are in `1Table`. */
const FIRST_TABLE = 0x0200

/**
 * The headers and the body text, followed by text boxes, footnotes, endnotes, comments and footers. Word 6 and 95 store all in one text.
 *
 * @throws RefusedDocument for a document with a password, and for a Word 6 or 95 document that cannot be read
 * @throws Error for anything else that is not a Word document
 */
export function parseDoc(bytes: Buffer, maxCharacters: number): ParsedText {
  const file = CFB.parse(bytes, { type: 'buffer' })
  if (CFB.find(file, '/EncryptedPackage')) throw new RefusedDocument('password')
  const word = streamOf(file, '/WordDocument')
  if (word === null || word.length < HEADER_BYTES) throw new Error('there is no stream of a document')
  const flags = word.readUInt16LE(10)
  if ((flags & ENCRYPTED) !== 0) throw new RefusedDocument('password')
  const text =
    word.readUInt16LE(2) < WORD_97
      ? olderText(word)
      : newerText(word, streamOf(file, (flags & FIRST_TABLE) === 0 ? '/0Table' : '/1Table'))
  return { text, isCut: text.length > maxCharacters }
}

function streamOf(file: ReturnType<typeof CFB.parse>, name: string): Buffer | null {
  const content = CFB.find(file, name)?.content
  return content ? Buffer.from(content as Uint8Array) : null
}

/** @throws RefusedDocument when it cannot be read */
function olderText(word: Buffer): string {
  try {
    return oldWordText(word).trim()
  } catch {
    throw new RefusedDocument('outdated')
  }
}

function newerText(word: Buffer, table: Buffer | null): string {
  if (table === null) throw new Error('there is no stream of tables')
  const { headers, body, textBoxes, footnotes, endnotes, comments, footers } = docText(word, table)
  return [headers, body, textBoxes, footnotes, endnotes, comments, footers]
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join('\n\n')
}
