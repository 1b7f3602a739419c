import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { pdfOf, pdfStream } from '../../testing/samples.ts'
import { parsePdf } from '../pdf.ts'

// Built as real files have it: bug854315.pdf, issue16553.pdf and issue17069.pdf (signatures of Aruba, Okular and Foxit), bug1851498.pdf
// (free text without contents) and bug1782564.pdf (button) of pdf.js, issue-987-test.pdf (heading) of pdfplumber.
const RESOURCES = fileURLToPath(new URL('../../../resources/pdfjs', import.meta.url))
const PICTURE_PIXELS = 4_000

function pageWith(
  content: string,
  annotations: readonly string[],
  drawings: readonly (string | Buffer)[] = [],
): Buffer {
  const first = 6
  const refs = annotations.map((_, index) => `${first + index} 0 R`).join(' ')
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [] >> >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 5 0 R >> >> /Contents 4 0 R /Annots [${refs}] >>`,
    pdfStream(content),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    ...annotations,
    ...drawings,
  ])
}

const drawing = (content: string, resources = '') =>
  pdfStream(
    content,
    `/Type /XObject /Subtype /Form /BBox [0 0 200 50] /Resources << /Font << /F1 5 0 R >> ${resources} >>`,
  )

async function textOf(bytes: Buffer): Promise<string> {
  return (await parsePdf(bytes, 100_000, RESOURCES)).text.replace(/\f$/, '')
}

test('signer, button captions and stamps are read from their appearance', async () => {
  const annotation = (entries: string, number: number) =>
    `<< /Type /Annot /Rect [100 100 300 150] /F 4 ${entries} /AP << /N ${number} 0 R >> >>`
  const bytes = pageWith(
    'BT /F1 12 Tf 72 720 Td (Contract) Tj ET',
    [
      annotation('/Subtype /Widget /FT /Sig /T (Signature1)', 9),
      annotation('/Subtype /Widget /FT /Btn /Ff 65536 /T (Button1)', 10),
      annotation('/Subtype /Stamp', 11),
    ],
    [
      drawing(
        'BT /F1 10 Tf 5 30 Td (Signed by Paul Frey) Tj 0 -12 Td [(Date:) -400 (2011-01-17)] TJ ET /P Do',
        '/XObject << /P 12 0 R >>',
      ),
      drawing('BT /F1 10 Tf 5 30 Td (Send) Tj ET'),
      drawing('BT /F1 10 Tf 5 30 Td (PAID) Tj ET'),
      pdfStream(
        Buffer.alloc((PICTURE_PIXELS * PICTURE_PIXELS) / 8),
        `/Type /XObject /Subtype /Image /Width ${PICTURE_PIXELS} /Height ${PICTURE_PIXELS} /BitsPerComponent 1 /ColorSpace /DeviceGray`,
      ),
    ],
  )
  expect(await textOf(bytes)).toBe('Contract\nPAID\nSigned by Paul Frey Date: 2011-01-17\nSend')
})

test('free text without contents is read from its appearance, and hidden text is not read', async () => {
  const text = (flags: number, number: number) =>
    `<< /Type /Annot /Subtype /FreeText /Rect [100 100 300 150] /F ${flags} /DA (/F1 10 Tf) /AP << /N ${number} 0 R >> >>`
  const signature = `<< /Type /Annot /Subtype /Widget /FT /Sig /T (S) /F 2 /Rect [100 100 300 150] /AP << /N 9 0 R >> >>`
  const bytes = pageWith(
    'BT /F1 12 Tf 72 720 Td (Page) Tj ET',
    [text(4, 9), signature],
    ['null', drawing('BT /F1 10 Tf 5 30 Td (Hello World) Tj ET')],
  )
  expect(await textOf(bytes)).toBe('Page\nHello World')
})

test('small text close below a heading is another line, and a number above a letter stays with it', async () => {
  const heading = 'BT /F1 116 Tf 99 541 Td (Big) Tj ET BT /F1 12 Tf 98 495 Td (Small) Tj ET'
  expect(await textOf(pageWith(heading, []))).toBe('Big\nSmall')
  const power = 'BT /F1 12 Tf 72 600 Td (m) Tj ET BT /F1 7 Tf 82 605 Td (2) Tj ET'
  expect(await textOf(pageWith(power, []))).toBe('m2')
})
