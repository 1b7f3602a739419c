import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readZip } from '../src/archives/read-zip.ts'
import { docxEntries, pdfOf, pdfStream, workbook } from '../src/testing/samples.ts'
import { zip } from '../src/testing/zip.ts'
import { openSetting, type Setting } from './setting.ts'

// Shapes of real documents, written after ECMA-376 (Office Open XML) and ISO 32000 (PDF).

let setting: Setting
beforeAll(() => {
  setting = openSetting()
})
afterAll(() => setting[Symbol.asyncDispose]())

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
const REL = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const run = (text: string) => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`
const paragraph = (content: string, properties = '') => `<w:p><w:pPr>${properties}</w:pPr>${content}</w:p>`

/** A Word document with this body and other parts. */
function word(body: string, parts: Readonly<Record<string, string>> = {}): Buffer {
  const entries = docxEntries([]).filter(({ name }) => name !== 'word/document.xml')
  const relations = Object.keys(parts).map(
    (name, index) =>
      `<Relationship Id="r${index}" Type="${REL}/${name.replace(/\d+$/, '')}" Target="${name}.xml"/>`,
  )
  return zip([
    ...entries,
    { name: 'word/document.xml', data: `<w:document ${W}><w:body>${body}</w:body></w:document>` },
    { name: 'word/_rels/document.xml.rels', data: `<Relationships>${relations.join('')}</Relationships>` },
    ...Object.entries(parts).map(([name, data]) => ({ name: `word/${name}.xml`, data })),
  ])
}

const textOf = async (format: 'docx' | 'xlsx' | 'xls' | 'pdf' | 'html', bytes: Buffer) => {
  const read = await setting.read(format, bytes)
  return read.kind === 'text' ? read.text : read.reason
}

describe('a Word document', () => {
  test('keeps rows, line breaks, tabs and fields', async () => {
    const cell = (text: string) => `<w:tc>${paragraph(run(text))}</w:tc>`
    const body = [
      `<w:tbl><w:tr>${cell('EU')}${cell('Cable')}${cell('12')}</w:tr><w:tr>${cell('US')}${cell('')}${cell('7')}</w:tr></w:tbl>`,
      paragraph(`${run('James Bond')}<w:r><w:br/></w:r>${run('Umm')}<w:r><w:tab/></w:r>${run('x')}`),
      paragraph(`${run('Date: ')}<w:fldSimple w:instr=" DATE ">${run('2026-03-01')}</w:fldSimple>`),
    ]
    expect(await textOf('docx', word(body.join('')))).toBe(
      'EU\tCable\t12\nUS\t\t7\n\nJames Bond\nUmm\tx\n\nDate: 2026-03-01',
    )
  })

  test('keeps headings, the numbers of lists and check boxes', async () => {
    const level = (at: number, format: string, text: string) =>
      `<w:lvl w:ilvl="${at}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/></w:lvl>`
    const numbering = `<w:numbering ${W}><w:abstractNum w:abstractNumId="4">${level(0, 'decimal', '%1.')}${level(1, 'lowerLetter', '%1.%2)')}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="4"/></w:num></w:numbering>`
    const styles = `<w:styles ${W}><w:style w:styleId="H2"><w:name w:val="heading 2"/></w:style><w:style w:styleId="Own"><w:basedOn w:val="H2"/></w:style></w:styles>`
    const item = (at: number, text: string) =>
      paragraph(run(text), `<w:numPr><w:ilvl w:val="${at}"/><w:numId w:val="1"/></w:numPr>`)
    const box = (value: string) =>
      `<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:checkBox><w:default w:val="0"/>${value}</w:checkBox></w:ffData></w:fldChar></w:r>`
    const body = [
      paragraph(run('Terms'), '<w:pStyle w:val="Own"/>'),
      ...[item(0, 'One'), item(1, 'Sub'), item(1, 'Sub too'), item(0, 'Two'), item(1, 'Again')],
      paragraph(`${box('<w:checked/>')}${run(' Yes ')}${box('')}${run(' No')}`),
    ]
    expect(await textOf('docx', word(body.join(''), { numbering, styles }))).toBe(
      '## Terms\n\n1. One\n\n1.a) Sub\n\n1.b) Sub too\n\n2. Two\n\n2.a) Again\n\n☑ Yes ☐ No',
    )
  })

  test('keeps headers, footers, footnotes and comments, and leaves deleted and moved text out', async () => {
    const body = paragraph(
      `${run('Kept')}<w:del><w:r><w:delText>GONE</w:delText></w:r></w:del><w:moveFrom>${run('MOVED')}</w:moveFrom><w:r><w:footnoteReference w:id="2"/></w:r><w:r><w:instrText>HYPERLINK</w:instrText></w:r>`,
    )
    const footnotes = `<w:footnotes ${W}><w:footnote w:id="0">${paragraph('')}</w:footnote><w:footnote w:id="2">${paragraph(run('See 7.'))}</w:footnote></w:footnotes>`
    const comments = `<w:comments ${W}><w:comment w:author="Ana">${paragraph(run('Why?'))}</w:comment></w:comments>`
    const header = (text: string) => `<w:hdr ${W}>${paragraph(run(text))}</w:hdr>`
    const parts = {
      header1: header('Acme'),
      header2: header('Acme'),
      footer1: header('Page'),
      footnotes,
      comments,
    }
    expect(await textOf('docx', word(body, parts))).toBe(
      'Acme\n\nKept[^2]\n\n[^2]: See 7.\n\nComment by Ana: Why?\n\nPage',
    )
  })

  test('keeps text boxes once, and equations', async () => {
    const box = (text: string) => `<w:txbxContent>${paragraph(run(text))}</w:txbxContent>`
    const body = paragraph(
      `${run('Beside')}<w:r><mc:AlternateContent><mc:Choice>${box('In the box')}</mc:Choice><mc:Fallback>${box('In the box')}</mc:Fallback></mc:AlternateContent></w:r><m:oMath><m:f><m:num><m:r><m:t>a</m:t></m:r></m:num><m:den><m:r><m:t>b</m:t></m:r></m:den></m:f></m:oMath>`,
    )
    expect(await textOf('docx', word(body))).toBe('In the box\n\nBesidea/b')
  })

  test('of hostile nesting is read or refused, and nothing hangs', async () => {
    const deep = '<w:tbl><w:tr><w:tc>'.repeat(20_000) + paragraph(run('x'))
    expect(['x', 'broken', 'killed', 'timeout']).toContain(await textOf('docx', word(deep)))
  })
})

describe('a workbook', () => {
  test('shows dates in ISO 8601, currencies as written and formulas without a value', async () => {
    const cell = (ref: string, style: number, value: string) =>
      `<c r="${ref}" s="${style}"><v>${value}</v></c>`
    const formats = [
      'dd.mm.yyyy',
      'h:mm',
      '[h]:mm',
      '[$-407]0.00',
      '#,##0.00 [$€-407]',
      'm/d/yy h:mm',
      '"Tag "0',
    ]
    const styles = `<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><numFmts>${formats.map((code, index) => `<numFmt numFmtId="${200 + index}" formatCode="${code.replaceAll('"', '&quot;')}"/>`).join('')}</numFmts><cellXfs>${formats.map((_, index) => `<xf numFmtId="${200 + index}" applyNumberFormat="1"/>`).join('')}</cellXfs></styleSheet>`
    const sheet = `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData><row r="1">${cell('A1', 0, '46082')}${cell('B1', 1, '0.5')}${cell('C1', 2, '-1.25')}${cell('D1', 3, '1234.5')}${cell('E1', 4, '1234.5')}${cell('F1', 5, '46082.75')}${cell('G1', 6, '3')}<c r="H1"><f>SUM(A1:B1)</f></c></row></sheetData></worksheet>`
    const types = `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/></Types>`
    const bytes = zip([
      { name: '[Content_Types].xml', data: types },
      {
        name: '_rels/.rels',
        data: `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="a" Type="${REL}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
      },
      {
        name: 'xl/workbook.xml',
        data: `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${REL}"><sheets><sheet name="Plan" sheetId="1" state="hidden" r:id="r1"/></sheets></workbook>`,
      },
      {
        name: 'xl/_rels/workbook.xml.rels',
        data: `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="${REL}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="r2" Type="${REL}/styles" Target="styles.xml"/></Relationships>`,
      },
      { name: 'xl/worksheets/sheet1.xml', data: sheet },
      { name: 'xl/styles.xml', data: styles },
    ])
    expect(await textOf('xlsx', bytes)).toBe(
      '# Plan (hidden)\n2026-03-01,12:00,-30:00:00,1234.50,"1,234.50 €",2026-03-01 18:00,Tag 3,=SUM(A1:B1)',
    )
  })

  test('of another writer keeps its rows', async () => {
    expect(await textOf('xlsx', workbook('xlsx', { First: [['a', 1]] }))).toBe('# First\na,1')
  })

  test('of Excel 2, which has no container, is read', async () => {
    expect(await textOf('xls', workbook('biff2', { First: [['a', 1]] }))).toMatch(/a,1$/)
  })

  test('with bytes behind its end is read', async () => {
    const tail = Buffer.from('\r\n\0\0')
    expect(await textOf('xlsx', Buffer.concat([workbook('xlsx', { First: [['a', 1]] }), tail]))).toBe(
      '# First\na,1',
    )
    expect(await textOf('docx', Buffer.concat([word(paragraph(run('Hello'))), tail]))).toBe('Hello')
  })

  test('that was written as a stream, with the sizes behind the stored data, keeps its rows', async () => {
    const files = await readZip(workbook('xlsx', { First: [['a', 1]] }), {
      entries: 100,
      inflatedBytes: 10_000_000,
    })
    const streamed = zip(files.map(({ path, bytes }) => ({ name: path, data: bytes, isStreamed: true })))
    expect(await textOf('xlsx', streamed)).toBe('# First\na,1')
  })
})

describe('a PDF', () => {
  const page = (content: string, extra = '') => [
    '<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [6 0 R] /DA (/F1 12 Tf 0 g) >> >>',
    '<< /Type /Pages /Kids [4 0 R] /Count 1 >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents 5 0 R ${extra} >>`,
    pdfStream(content),
    '<< /Type /Annot /Subtype /Widget /FT /Tx /T (Form.Last_name[0]) /V (Weber) /Rect [10 10 90 30] /P 4 0 R >>',
    '<< /Type /Annot /Subtype /FreeText /Contents (Please call) /Rect [10 40 90 60] /DA (/F1 12 Tf) >>',
  ]

  test('keeps what people typed into fields and notes', async () => {
    const bytes = pdfOf(page('BT /F1 12 Tf 72 720 Td (Name) Tj ET', '/Annots [6 0 R 7 0 R]'))
    expect(await textOf('pdf', bytes)).toBe('Name\nPlease call\nLast name: Weber\f')
  })

  test('separates cells of a line, and joins words that were hyphenated at its end', async () => {
    const content = [
      'BT /F1 12 Tf 72 720 Td (Total) Tj ET BT /F1 12 Tf 300 720 Td (12.50) Tj ET',
      'BT /F1 12 Tf 72 700 Td (an inter-) Tj ET BT /F1 12 Tf 72 685 Td (national call) Tj ET',
    ].join(' ')
    const text = await textOf('pdf', pdfOf(page(content)))
    expect(text).toMatch(/Total\s+12\.50/)
    expect(text).toContain('an international call')
  })

  test('keeps words apart in text that runs up the page, and reads text that is drawn twice once', async () => {
    const content = [
      'BT /F1 12 Tf 0 1 -1 0 100 100 Tm (Total) Tj ET BT /F1 12 Tf 0 1 -1 0 100 200 Tm (2019) Tj ET',
      'BT /F1 12 Tf 72 720 Td (Report) Tj ET BT /F1 12 Tf 72.3 719.8 Td (Report) Tj ET',
    ].join(' ')
    const text = await textOf('pdf', pdfOf(page(content)))
    expect(text).toMatch(/^Total 2019\s+Report\f$/)
  })

  test('keeps words apart between which a font has a glyph without a letter', async () => {
    const map =
      '/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfchar <21> <0002> endbfchar endcmap'
    const [catalog, pages, , ...rest] = page('BT /F1 12 Tf 72 720 Td (Two!words) Tj ET')
    const font = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 8 0 R >>'
    const bytes = pdfOf([catalog ?? '', pages ?? '', font, ...rest, pdfStream(map)])
    expect(await textOf('pdf', bytes)).toBe('Two words\f')
  })

  test('with a password says so', async () => {
    // A document that names the standard security handler with keys that do not match the empty password (ISO
    // 32000-1, 7.6.3).
    const encrypted = page('BT /F1 12 Tf (x) Tj ET').map(String)
    const handler = `<< /Filter /Standard /V 1 /R 2 /O (${'o'.repeat(32)}) /U (${'u'.repeat(32)}) /P -4 >>`
    const bytes = pdfOf([...encrypted, handler]).toString('latin1')
    const withHandler = bytes.replace('/Root 1 0 R', `/Root 1 0 R /Encrypt 8 0 R /ID [(a) (a)]`)
    expect(await textOf('pdf', Buffer.from(withHandler, 'latin1'))).toBe('password')
  })
})

test('a page in another encoding is read by its declaration', async () => {
  const html = Buffer.concat([
    Buffer.from(
      '<html><head><meta http-equiv="content-type" content="text/html; charset=shift_jis"><body><h1>',
    ),
    Buffer.from('93fa967b8cea', 'hex'),
    Buffer.from('</h1>'),
  ])
  expect(await textOf('html', html)).toBe('# 日本語')
})
