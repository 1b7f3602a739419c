import { guardZip, withoutTail } from './guard-zip.ts'
import { ZIP_LIMITS } from './limits.ts'
import type { ParsedText } from './unreadable.ts'
import { docxParts } from './word/docx-parts.ts'
import { WordText, wordContext } from './word/word-text.ts'

/**
 * The text of a Word document (docx, docm, dotx, dotm): headers, paragraphs with the labels of lists, headings as in Markdown, tables
 * with a line for each row, text boxes, notes, comments with their author, footers. Deleted text is omitted.
 */
export async function parseDocx(file: Buffer, maxCharacters: number): Promise<ParsedText> {
  const bytes = withoutTail(file)
  await guardZip(bytes)
  const parts = await docxParts(bytes, ZIP_LIMITS.inflatedBytes)
  const text = new WordText(wordContext(parts.styles, parts.numbering), maxCharacters)
  const headers = distinct(parts.headers.map((xml) => text.read(xml).join('\n')))
  const body = text.read(parts.body)
  const notes = [
    ...noteLines(text.readNotes(parts.footnotes, 'footnote'), (id) => `[^${id}]: `),
    ...noteLines(text.readNotes(parts.endnotes, 'endnote'), (id) => `[^e${id}]: `),
    ...noteLines(text.readNotes(parts.comments, 'comment'), (label) => {
      const author = label.slice(0, label.lastIndexOf('#'))
      return author === '' ? 'Comment: ' : `Comment by ${author}: `
    }),
  ]
  const footers = distinct(parts.footers.map((xml) => text.read(xml).join('\n')))
  const blocks = [...headers, ...body, ...notes, ...footers].filter((block) => block.trim() !== '')
  return { text: blocks.join('\n\n').trim(), isCut: text.isFull }
}

function noteLines(notes: ReadonlyMap<string, readonly string[]>, label: (id: string) => string): string[] {
  // Word stores the lines that separate notes from the text as notes without text.
  return [...notes].flatMap(([id, blocks]) => (blocks.length === 0 ? [] : label(id) + blocks.join('\n')))
}

/** The first page, even and odd pages may have the same header. */
const distinct = (texts: readonly string[]) => [...new Set(texts)]
