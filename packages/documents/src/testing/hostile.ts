import { deflateRawSync, deflateSync } from 'node:zlib'
import { docOf, docStreams, docxEntries, pdfOf, pdfStream } from './samples.ts'
import { zip } from './zip.ts'

const MB = 1024 * 1024
const WORD_PAGE = 512

/** 64 MB of XML in a docx of 65 KB. */
export function docxBomb(): Buffer {
  return zip(docxEntries(['a'.repeat(64 * MB)]))
}

/** The same, with headers that declare a small size. */
export function lyingDocxBomb(): Buffer {
  return zip(docxEntries(['a'.repeat(64 * MB)]).map((entry) => ({ ...entry, claimedSize: 1000 })))
}

/** Small entries, each below the ratio limit, that together exceed the total limit. */
export function manySmallBombs(): Buffer {
  const data = Buffer.alloc(MB)
  const raw = deflateRawSync(data)
  return zip([
    ...docxEntries(['x']),
    ...Array.from({ length: 200 }, (_, index) => ({ name: `word/media/${index}`, data, raw })),
  ])
}

export function docxOfManyEntries(count: number): Buffer {
  return zip([
    ...docxEntries(['x']),
    ...Array.from({ length: count }, (_, index) => ({ name: `word/media/${index}`, data: '' })),
  ])
}

/** Deflated according to one header, stored according to the other. */
export function contradictoryDocx(): Buffer {
  return zip(docxEntries(['x']).map((entry) => ({ ...entry, localMethod: 0 })))
}

/** A Word document with a million characters that names one page of 60 deletions 20,000 times: hours for a reader that applies each. */
export function docOfDeletions(): Buffer {
  const { word, table } = docStreams('x'.repeat(1_000_000))
  const pages = 20_000
  const runs = 60
  const formats = Buffer.alloc(WORD_PAGE)
  for (let run = 0; run <= runs; run += 1) formats.writeUInt32LE(1024 + run * 4, run * 4)
  // Each run has the same format: three bytes at 400 that say "deleted".
  formats.fill(200, (runs + 1) * 4, (runs + 1) * 4 + runs)
  formats.set([3, 0x00, 0x08, 1], 400)
  formats.writeUInt8(runs, WORD_PAGE - 1)
  const text = Buffer.concat([word, Buffer.alloc((WORD_PAGE - (word.length % WORD_PAGE)) % WORD_PAGE)])
  // The list of pages names this one repeatedly.
  const list = Buffer.alloc(4 * (pages + 1) + 4 * pages)
  for (let page = 0; page < pages; page += 1) {
    list.writeUInt32LE(text.length / WORD_PAGE, 4 * (pages + 1) + 4 * page)
  }
  text.writeUInt32LE(table.length, 0xfa)
  text.writeUInt32LE(list.length, 0xfe)
  return docOf({ word: Buffer.concat([text, formats]), table: Buffer.concat([table, list]) })
}

const PAGES = '<< /Type /Pages /Kids [4 0 R] /Count 1 >>'
const CATALOG = '<< /Type /Catalog /Pages 2 0 R >>'
const FONT = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'

/** A drawing that draws ten drawings that draw ten drawings …: a thousand million lines of text in 2 KB. */
export function endlessPdf(): Buffer {
  const ten = '/X Do '.repeat(10)
  const drawing = (resources: string) =>
    `/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << ${resources} >>`
  const first = 6
  const depth = 8
  return pdfOf([
    CATALOG,
    PAGES,
    FONT,
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /XObject << /X ${first} 0 R >> >> /Contents 5 0 R >>`,
    pdfStream(ten),
    ...Array.from({ length: depth }, (_, index) =>
      pdfStream(ten, drawing(`/XObject << /X ${first + index + 1} 0 R >>`)),
    ),
    pdfStream('BT /F1 1 Tf (lol) Tj ET', drawing('/Font << /F1 3 0 R >>')),
  ])
}

/**
 * A page of a gigabyte in a PDF of a megabyte. It is held in buffers, which the heap limit does not count.
 */
export function pdfBomb(): Buffer {
  const content = deflateSync(Buffer.alloc(1024 * MB, ' '))
  return pdfOf([
    CATALOG,
    PAGES,
    FONT,
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 5 0 R >>',
    pdfStream(content, '/Filter /FlateDecode'),
  ])
}

/** A page tree whose node is its own child. */
export function recursivePdf(): Buffer {
  return pdfOf([CATALOG, '<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 1000000 >>'])
}

/** A compound file whose sector table contains a cycle of two sectors. */
export function circularDoc(): Buffer {
  const bytes = docOf(docStreams('x'))
  // The header names the first sector of the directory at 48, and that of the table at 76.
  const directory = bytes.readUInt32LE(48)
  const table = 512 * (1 + bytes.readUInt32LE(76))
  bytes.writeUInt32LE(directory + 1, table + 4 * directory)
  bytes.writeUInt32LE(directory, table + 4 * (directory + 1))
  return bytes
}

/** A workbook whose sheet declares every possible cell but has two: the first and the last. */
export function vastXlsx(): Buffer {
  const relationships = (type: string, target: string) =>
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"/></Relationships>`
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
  return zip([
    {
      name: '[Content_Types].xml',
      data: `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${type}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${type}.worksheet+xml"/></Types>`,
    },
    { name: '_rels/.rels', data: relationships('officeDocument', 'xl/workbook.xml') },
    { name: 'xl/_rels/workbook.xml.rels', data: relationships('worksheet', 'worksheets/sheet1.xml') },
    {
      name: 'xl/workbook.xml',
      data: `<workbook xmlns="${main}" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="Vast" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    },
    {
      name: 'xl/worksheets/sheet1.xml',
      data: `<worksheet xmlns="${main}"><dimension ref="A1:XFD1048576"/><sheetData><row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>2</v></c></row></sheetData></worksheet>`,
    },
  ])
}
