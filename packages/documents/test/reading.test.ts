import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DocumentFormat } from '../src/formats/document-format.ts'
import { doc, docx, docxEntries, pdf, pdfOf, workbook } from '../src/testing/samples.ts'
import { zip } from '../src/testing/zip.ts'
import { openSetting, type Setting } from './setting.ts'

let setting: Setting
beforeAll(() => {
  setting = openSetting()
})
afterAll(() => setting[Symbol.asyncDispose]())

const ROWS = [['name', 'sum'], ['Grüße, "Ana"', 12.5], [], ['', 'b']]
const BOOK = { First: ROWS, Empty: [], Second: [[true]] }
const CSV = '# First\nname,sum\n"Grüße, ""Ana""",12.5\n,b\n\n# Second\nTRUE'

test.for([
  ['pdf', pdf(['First (page)', 'Second'])],
  ['docx', docx(['Grüße <&>', '漢字 👍'])],
  ['doc', doc('Grüße\n漢字 👍')],
  ['xlsx', workbook('xlsx', BOOK)],
  ['xls', workbook('biff8', BOOK)],
] as const)('the text of a %s', async ([format, bytes]) => {
  const expected = {
    pdf: 'First (page)\fSecond',
    docx: 'Grüße <&>\n\n漢字 👍',
    doc: 'Grüße\n漢字 👍',
    xlsx: CSV,
    xls: CSV,
  }
  expect(await setting.read(format, bytes)).toEqual({ kind: 'text', text: expected[format], isCut: false })
})

test('a text that is too long is cut, and never through a character', async () => {
  await using short = openSetting({ maxCharacters: 4 })
  expect(await short.read('docx', docx(['abc👍']))).toEqual({ kind: 'text', text: 'abc\ufffd', isCut: true })
  expect(await short.read('xlsx', workbook('xlsx', BOOK))).toEqual({
    kind: 'text',
    text: '# Fi',
    isCut: true,
  })
})

test('a pdf is read up to its 2,000th page, with a note that it continues', async () => {
  const pages = Array.from({ length: 2_001 }, (_, index) => `page ${index + 1}.`)
  const read = await setting.read('pdf', pdf(pages))
  const text = expect.stringMatching(/^page 1\.[\s\S]*page 2000\.$/)
  expect(read).toMatchObject({ kind: 'text', text, isCut: true })
})

test('a docx that points at files and addresses outside it is read without them', async () => {
  const bytes = zip([
    ...docxEntries(['inside']),
    {
      name: 'word/_rels/document.xml.rels',
      data: '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="i" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image" Target="file:///etc/passwd" TargetMode="External"/></Relationships>',
    },
  ])
  expect(await setting.read('docx', bytes)).toEqual({ kind: 'text', text: 'inside', isCut: false })
})

test('entities of XML are not resolved', async () => {
  const entries = docxEntries(['x']).map((entry) =>
    entry.name === 'word/document.xml'
      ? {
          ...entry,
          data: String(entry.data)
            .replace('?>', '?><!DOCTYPE w [<!ENTITY secret SYSTEM "file:///etc/passwd">]>')
            .replace('>x<', '>&secret;<'),
        }
      : entry,
  )
  const read = await setting.read('docx', zip(entries))
  expect(JSON.stringify(read)).not.toContain('root')
})

describe('files that are not of the format', () => {
  const whole: Record<Exclude<DocumentFormat, 'html'>, Buffer> = {
    pdf: pdf(['x']),
    docx: docx(['x']),
    doc: doc('x'),
    xlsx: workbook('xlsx', BOOK),
    xls: workbook('biff8', BOOK),
  }
  const formats = Object.keys(whole) as (keyof typeof whole)[]

  test.for(formats)('half a %s is unreadable, or yields at most its text', async (format) => {
    const bytes = whole[format]
    const read = await setting.read(format, bytes.subarray(0, bytes.length >> 1))
    const text = read.kind === 'text' ? read.text : ''
    expect(['', 'x', CSV].some((full) => full.startsWith(text))).toBe(true)
  })

  test.for(formats)('%s: nothing, text and random bytes are unreadable', async (format) => {
    for (const bytes of [
      '',
      'Dear all,',
      Buffer.from(Array.from({ length: 999 }, (_, i) => (i * 7919) & 255)),
    ]) {
      expect(await setting.read(format, Buffer.from(bytes))).toEqual({ kind: 'unreadable', reason: 'broken' })
    }
  })

  test('a Word or Excel document is read under the name of its older or newer form', async () => {
    expect(await setting.read('doc', whole.docx)).toMatchObject({ kind: 'text', text: 'x' })
    expect(await setting.read('docx', whole.doc)).toMatchObject({ kind: 'text', text: 'x' })
    expect(await setting.read('xls', whole.xlsx)).toMatchObject({ kind: 'text', text: CSV })
    expect(await setting.read('xlsx', whole.xls)).toMatchObject({ kind: 'text', text: CSV })
  })

  test.for([
    ['docx', 'pdf'],
    ['pdf', 'docx'],
    ['pdf', 'xlsx'],
  ] as const)('a %s is not read as %s', async ([is, claimed]) => {
    expect(await setting.read(claimed, whole[is])).toEqual({ kind: 'unreadable', reason: 'broken' })
  })

  test('a pdf without pages has no text', async () => {
    const bytes = pdfOf(['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [] /Count 0 >>'])
    expect(['unreadable', 'text']).toContain((await setting.read('pdf', bytes)).kind)
  })

  test('a file that is not there, or is too large to lie in memory', async () => {
    await using small = openSetting({ process: { fileBytes: 10 } })
    expect(await small.reader.read({ path: '/nowhere', format: 'pdf', owner: 'a' })).toEqual({
      kind: 'unreadable',
      reason: 'missing',
    })
    expect(await small.read('pdf', pdf(['x']))).toEqual({ kind: 'unreadable', reason: 'too-large' })
  })
})
