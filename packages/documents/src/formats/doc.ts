import { CFB } from '@e965/xlsx'
import WordExtractor from 'word-extractor'
import { type ParsedText, RefusedDocument } from './unreadable.ts'
import { oldWordText } from './word/old-word-text.ts'

/** Word 97 and later; the field `nFib` of older files is smaller ([MS-DOC] 2.5.2, "Microsoft Word 6.0/95 binary file format"). */
const WORD_97 = 0x00c1
/** `fEncrypted` among the flags of the header. */
const ENCRYPTED = 0x0100

/**
 * The body text, followed by text boxes, footnotes, endnotes, headers and comments.
 *
 * @throws RefusedDocument for a document with a password, and for a Word 6 or 95 document that cannot be read
 */
export async function parseDoc(bytes: Buffer, maxCharacters: number): Promise<ParsedText> {
  const old = olderText(bytes)
  if (old !== null) return { text: old, isCut: old.length > maxCharacters }
  const document = await new WordExtractor().extract(bytes)
  const parts = [
    document.getHeaders({ includeFooters: false }),
    document.getBody(),
    document.getTextboxes({ includeHeadersAndFooters: false }),
    document.getFootnotes(),
    document.getEndnotes(),
    document.getAnnotations(),
    document.getFooters(),
  ]
  const text = parts
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join('\n\n')
  return { text, isCut: text.length > maxCharacters }
}

/** The text of a Word 6 or 95 document; null for a newer one. @throws RefusedDocument for one with a password */
function olderText(bytes: Buffer): string | null {
  const file = CFB.parse(bytes, { type: 'buffer' })
  if (CFB.find(file, '/EncryptedPackage')) throw new RefusedDocument('password')
  const stream = CFB.find(file, '/WordDocument')?.content
  if (!stream) return null
  const content = Buffer.from(stream as Uint8Array)
  if (content.length < 12) return null
  if ((content.readUInt16LE(10) & ENCRYPTED) !== 0) throw new RefusedDocument('password')
  if (content.readUInt16LE(2) >= WORD_97) return null
  try {
    return oldWordText(content).trim()
  } catch {
    throw new RefusedDocument('outdated')
  }
}
