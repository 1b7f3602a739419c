import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newId, OrganizationId } from '@troupe/contract'
import { BusyError } from '@troupe/heavy-work'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DocumentReader, DocumentText } from '../reader/document-reader.ts'
import { workbook } from '../testing/samples.ts'
import { createDocumentExtractor } from './document-extractor.ts'
import { recogniseFile } from './file-format.ts'
import { createPlainTextExtractor } from './plain-text-extractor.ts'
import { MAX_TEXT_LENGTH, placeholderReason, unreadableFile } from './text-extractor.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'extractors-'))
})
afterAll(() => rm(folder, { recursive: true }))

const silent = { info() {} }
const plain = createPlainTextExtractor()

/** An extractor whose document reader returns this answer. */
function extractorOf(answer: () => Promise<DocumentText>) {
  const asked: unknown[] = []
  const reader: DocumentReader = {
    read(document) {
      asked.push(document)
      return answer()
    },
    async [Symbol.asyncDispose]() {},
  }
  return { extractor: createDocumentExtractor({ reader, plain, log: silent }), asked }
}

const noReader = () => extractorOf(() => Promise.reject(new Error('this needs no parser'))).extractor

const ORGANIZATION = newId(OrganizationId)

/** The extracted text of bytes sent under a name. */
async function textOf(filename: string, bytes: Buffer | string, extractor = noReader()): Promise<string> {
  const path = join(folder, 'file')
  await writeFile(path, bytes)
  const { contentType } = await recogniseFile(path, filename)
  return extractor.extractText({
    path,
    filename,
    contentType,
    sizeBytes: Buffer.byteLength(bytes),
    organizationId: ORGANIZATION,
  })
}

const PDF = '%PDF-1.7\n'
const pdfFile = () => ({
  path: '/incoming/1',
  filename: 'report.pdf',
  contentType: 'application/pdf',
  sizeBytes: 34_816,
  organizationId: ORGANIZATION,
})

describe('plain text', () => {
  test.for([
    ['UTF-8', Buffer.from('Grüße, 漢字 👍')],
    ['UTF-8 with its mark', Buffer.from('\ufeffGrüße, 漢字 👍')],
    ['UTF-16, little end first', Buffer.from('\ufeffGrüße, 漢字 👍', 'utf16le')],
    ['UTF-16, big end first', Buffer.from('\ufeffGrüße, 漢字 👍', 'utf16le').swap16()],
  ] as const)('%s', async ([, bytes]) => {
    for (const name of ['a.txt', 'a.CSV', 'a.md']) expect(await textOf(name, bytes)).toBe('Grüße, 漢字 👍')
  })

  test('text that is not UTF-8 is read as Windows-1252', async () => {
    expect(await textOf('a.txt', Buffer.from('Gr\xfc\xdfe \x80 \x93x\x94', 'latin1'))).toBe('Grüße € “x”')
  })

  test.for(['html', 'xml', 'csv', 'md', 'txt'])('%s is read as it is', async (extension) => {
    const text = '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]><a>&e;</a>'
    expect(await textOf(`a.${extension}`, text)).toBe(text)
  })

  test('nothing is an empty text', async () => {
    expect(await textOf('a.txt', '')).toBe('')
  })

  test('a long text is cut, never through a character', async () => {
    const text = await textOf('a.txt', `${'x'.repeat(MAX_TEXT_LENGTH - 1)}👍`)
    expect(text.length).toBeLessThanOrEqual(MAX_TEXT_LENGTH)
    expect(text).toMatch(/\[The text of this file continues\. Only its beginning was read\.\]$/)
    expect(text.isWellFormed()).toBe(true)
  })
})

describe('text formats', () => {
  // Each begins as files of another type do: BMP, MPEG, TIFF, Mach-O, STL, DOS programs, MP3, Ogg, GIF, RTF.
  test.for([
    ['patients.csv', 'BMI,age\n23.1,41\n'],
    ['b.csv', 'MZ-Nummer;Ort\n1;Ulm\n'],
    ['c.csv', 'ID3,Name\n1,Ana\n'],
    ['d.txt', '%PDF is a format\n'],
    ['e.txt', 'BEGIN:VCARD\nFN:Ana\nEND:VCARD\n'],
    ['f.txt', 'The wide river\n'],
    ['g.txt', 'Fat-free milk\n'],
    ['h.txt', 'MAC addresses of the printers\n'],
    ['i.txt', 'solid gold bars are heavy\n'],
    ['j.md', 'GIF89a was a format.\n'],
    ['k.txt', '{\\rtf1 is how RTF begins.\n'],
    ['l.txt', 'OggS is a magic number.\n'],
    ['m.md', 'II* and MM are TIFF\n'],
  ] as const)('%s, whose first bytes are a signature, is text', async ([name, text]) => {
    expect(await textOf(name, text)).toBe(text)
  })

  test.for([
    [
      'Shift-JIS',
      Buffer.from(
        '93fa967b8cea82cc834583468376838183758389814583818381814182d082e782aa82c8814183718389834b8369',
        'hex',
      ),
      '日本語の',
    ],
    ['UTF-16 without a mark', Buffer.from('Name;Sum\nAna;12\n', 'utf16le'), 'Name;Sum\nAna;12\n'],
    ['UTF-32 with its mark', Buffer.from('fffe000041000000', 'hex'), 'A'],
    [
      'KOI8-R by its declaration',
      Buffer.concat([
        Buffer.from('<?xml version="1.0" encoding="koi8-r"?><a>'),
        Buffer.from('f0d2c9d7c5d4', 'hex'),
        Buffer.from('</a>'),
      ]),
      '<?xml version="1.0" encoding="koi8-r"?><a>Привет</a>',
    ],
  ] as const)('%s', async ([kind, bytes, begin]) => {
    const text = await textOf(kind.startsWith('KOI8') ? 'a.xml' : 'a.txt', bytes)
    expect(text.startsWith(begin), text).toBe(true)
  })

  test.for([
    ['cut.docx', Buffer.from('504b0304', 'hex')],
    ['a.png', Buffer.from('89504e470d0a1a0a', 'hex')],
    ['a.mp3', Buffer.from('ID3')],
    ['a.zip', Buffer.from('PK')],
  ] as const)('%s that ends within its header is not an error', async ([name, bytes]) => {
    const broken = extractorOf(async () => ({ kind: 'unreadable', reason: 'broken' })).extractor
    expect(await textOf(name, bytes, broken)).toMatch(/no text extracted\]$|could not be read\]$/)
  })
})

test('a workbook of Excel 2, which has no container, is recognised', async () => {
  const { extractor, asked } = extractorOf(async () => ({ kind: 'text', text: 'a,1', isCut: false }))
  expect(await textOf('old.xls', workbook('biff2', { First: [['a', 1]] }), extractor)).toBe('a,1')
  expect(asked).toMatchObject([{ format: 'xls' }])
})

describe('files that are not text', () => {
  test.for([
    [
      'photo.png',
      Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex'),
      'image/png',
    ],
    [
      'photo.txt',
      Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex'),
      'image/png',
    ],
    ['text.pdf', 'no pdf at all', 'application/octet-stream'],
    ['report.docx', PDF, 'application/pdf'],
    ['program', 'x', 'application/octet-stream'],
    ['a.toString', 'x', 'application/octet-stream'],
  ] as const)('%s is described by its content, and seen by no parser', async ([name, bytes, type]) => {
    expect(await textOf(name, bytes)).toBe(`[${type} file, 1 KB, no text extracted]`)
  })
})

describe('documents', () => {
  test('are read for their organization, by their path and format', async () => {
    const { extractor, asked } = extractorOf(async () => ({ kind: 'text', text: 'Hello', isCut: false }))
    expect(await extractor.extractText(pdfFile())).toBe('Hello')
    expect(asked).toEqual([{ path: '/incoming/1', format: 'pdf', owner: ORGANIZATION }])
  })

  test('that have no text, such as scans, are described', async () => {
    const { extractor } = extractorOf(async () => ({ kind: 'text', text: ' \n', isCut: false }))
    expect(await extractor.extractText(pdfFile())).toBe(
      '[report.pdf has no text: its pages are pictures, such as scans]',
    )
  })

  test.for([
    ['broken', ''],
    ['missing', ''],
    ['killed', ': reading it takes too much memory'],
    ['timeout', ': reading it takes too long'],
    ['too-large', ': it is too large'],
    ['password', ': it is protected by a password'],
    ['outdated', ': it was written by Word 95 or earlier. Save it as .docx'],
  ] as const)('that are %s have the reason', async ([reason, why]) => {
    const { extractor } = extractorOf(async () => ({ kind: 'unreadable', reason }))
    const text = await extractor.extractText(pdfFile())
    expect(text).toBe(`[report.pdf could not be read${why}]`)
    expect(placeholderReason(text, pdfFile())).toBe(`The file could not be read${why}.`)
  })

  test('that continue after the text are marked', async () => {
    const { extractor } = extractorOf(async () => ({ kind: 'text', text: 'Begin', isCut: true }))
    expect(await extractor.extractText(pdfFile())).toMatch(/^Begin\n\n\[The text of this file continues/)
  })

  test.for([
    ['too many wait', () => Promise.reject(new BusyError('too many documents are waiting'))],
    ['the server stops', async () => ({ kind: 'unreadable', reason: 'stopped' }) as const],
  ] as const)('are not unreadable when %s: the sender must try again', async ([, answer]) => {
    await expect(extractorOf(answer).extractor.extractText(pdfFile())).rejects.toThrow(BusyError)
  })

  test('a defect of the reader stays one', async () => {
    const { extractor } = extractorOf(() => Promise.reject(new Error('defect')))
    await expect(extractor.extractText(pdfFile())).rejects.toThrow('defect')
  })
})

test.for([
  ['report.docx', '[report.docx could not be read]'],
  ['../../etc/passwd', '[passwd could not be read]'],
  ['C:\\temp\\a.doc', '[a.doc could not be read]'],
  ['a\u0000b\r\n\u001b[31mc.pdf', '[ab[31mc.pdf could not be read]'],
  ['\u202efdp.exe\u2028', '[fdp.exe could not be read]'],
  ['', '[The file could not be read]'],
  ['\ud800.pdf', '[\ufffd.pdf could not be read]'],
  ['x'.repeat(400), `[${'x'.repeat(255)} could not be read]`],
] as const)('an unreadable file named %j is %j', ([filename, text]) => {
  expect(unreadableFile({ filename })).toBe(text)
})
