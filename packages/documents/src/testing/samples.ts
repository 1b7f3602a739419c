import { CFB, utils, write } from '@e965/xlsx'
import { type ZipEntry, zip } from './zip.ts'

const CONTENT_TYPES = `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`
const RELATIONSHIPS = `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`

const xml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** The parts of a docx with these paragraphs. */
export function docxEntries(paragraphs: readonly string[]): ZipEntry[] {
  const body = paragraphs.map((text) => `<w:p><w:r><w:t>${xml(text)}</w:t></w:r></w:p>`).join('')
  return [
    { name: '[Content_Types].xml', data: CONTENT_TYPES },
    { name: '_rels/.rels', data: RELATIONSHIPS },
    {
      name: 'word/document.xml',
      data: `<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`,
    },
  ]
}

export function docx(paragraphs: readonly string[]): Buffer {
  return zip(docxEntries(paragraphs))
}

/** A workbook as `xlsx`, as `biff8`, which is what an xls holds, or as `biff2` of Excel 2. */
export function workbook(
  type: 'xlsx' | 'biff8' | 'biff2',
  sheets: Readonly<Record<string, readonly (readonly unknown[])[]>>,
): Buffer {
  const book = utils.book_new()
  for (const [name, rows] of Object.entries(sheets)) {
    utils.book_append_sheet(book, utils.aoa_to_sheet(rows as unknown[][]), name)
  }
  return write(book, { type: 'buffer', bookType: type, compression: true })
}

/** A PDF of these objects, numbered from 1; the first is the catalog. */
export function pdfOf(objects: readonly (string | Buffer)[]): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')]
  let length = parts[0]?.length ?? 0
  const offsets: number[] = []
  objects.forEach((object, index) => {
    const part = Buffer.concat([
      Buffer.from(`${index + 1} 0 obj\n`),
      Buffer.from(object),
      Buffer.from('\nendobj\n'),
    ])
    offsets.push(length)
    parts.push(part)
    length += part.length
  })
  const lines = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  parts.push(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${lines}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${length}\n%%EOF\n`,
    ),
  )
  return Buffer.concat(parts)
}

/** A stream object of a PDF. */
export function pdfStream(content: string | Buffer, entries = ''): Buffer {
  const bytes = Buffer.from(content)
  return Buffer.concat([
    Buffer.from(`<< /Length ${bytes.length} ${entries} >>\nstream\n`),
    bytes,
    Buffer.from('\nendstream'),
  ])
}

/** A PDF with one line of ASCII text on each page. */
export function pdf(pages: readonly string[]): Buffer {
  const first = 4
  const kids = pages.map((_, index) => `${first + index * 2} 0 R`).join(' ')
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...pages.flatMap((text, index) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${first + index * 2 + 1} 0 R >>`,
      pdfStream(`BT /F1 12 Tf 72 720 Td (${text.replace(/[\\()]/g, '\\$&')}) Tj ET`),
    ]),
  ])
}

/** The unusual parts of a Word document; offsets into its two streams. */
export interface DocStreams {
  word: Buffer
  table: Buffer
}

/**
 * The streams of a Word 97 document: a header with the fields that readers use, one piece of text, no
 * formats.
 */
export function docStreams(text: string): DocStreams {
  const start = 1024
  const characters = Buffer.from(text.replaceAll('\n', '\r'), 'utf16le')
  const word = Buffer.alloc(Math.max(4096, start + characters.length))
  word.writeUInt16LE(0xa5ec, 0)
  // Word 97 and later.
  word.writeUInt16LE(0x00c1, 2)
  word.writeUInt16LE(0x0200, 0x0a)
  word.writeUInt32LE(start, 0x18)
  word.writeUInt32LE(text.length, 0x4c)
  characters.copy(word, start)
  // No character or paragraph runs: a list that contains only its end.
  for (const at of [0xfa, 0x102]) word.writeUInt32LE(4, at + 4)
  // The piece table: a marker, its length, two positions, and the offset of the only piece.
  const table = Buffer.alloc(4096)
  word.writeUInt32LE(64, 0x01a2)
  word.writeUInt32LE(21, 0x01a6)
  table.writeUInt8(2, 64)
  table.writeUInt32LE(16, 65)
  table.writeUInt32LE(text.length, 73)
  table.writeUInt32LE(start, 79)
  return { word, table }
}

export function docOf({ word, table }: DocStreams): Buffer {
  const file = CFB.utils.cfb_new()
  CFB.utils.cfb_add(file, '/WordDocument', word)
  CFB.utils.cfb_add(file, '/1Table', table)
  return Buffer.from(CFB.write(file, { type: 'buffer' }) as Uint8Array)
}

/** A Word 97 document. */
export function doc(text: string): Buffer {
  return docOf(docStreams(text))
}
