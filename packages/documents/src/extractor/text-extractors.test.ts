import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DocumentReader, DocumentText } from '../reader/document-reader.ts'
import { DocumentsBusyError } from '../reader/fair-queue.ts'
import { createDocumentExtractor } from './document-extractor.ts'
import { recogniseFile } from './file-format.ts'
import { createPlainTextExtractor } from './plain-text-extractor.ts'
import { ExtractorBusyError, MAX_TEXT_LENGTH, unreadableFile } from './text-extractor.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'extractors-'))
})
afterAll(() => rm(folder, { recursive: true }))

const silent = { info() {} }
const plain = createPlainTextExtractor()

/** An extractor whose reader of documents answers as it is told. */
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

/** What is read of bytes that were sent under a name. */
async function textOf(filename: string, bytes: Buffer | string, extractor = noReader()): Promise<string> {
  const path = join(folder, 'file')
  await writeFile(path, bytes)
  const { contentType } = await recogniseFile(path, filename)
  return extractor.extractText({
    path,
    filename,
    contentType,
    sizeBytes: Buffer.byteLength(bytes),
    organizationId: 'org',
  })
}

const PDF = '%PDF-1.7\n'
const pdfFile = () => ({
  path: '/incoming/1',
  filename: 'report.pdf',
  contentType: 'application/pdf',
  sizeBytes: 34_816,
  organizationId: 'org',
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

  test('what is no UTF-8 is Windows-1252', async () => {
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
    expect(text).toHaveLength(MAX_TEXT_LENGTH)
    expect(text.isWellFormed()).toBe(true)
  })
})

describe('what is no text', () => {
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
    const { extractor, asked } = extractorOf(async () => ({ kind: 'text', text: 'Hello' }))
    expect(await extractor.extractText(pdfFile())).toBe('Hello')
    expect(asked).toEqual([{ path: '/incoming/1', format: 'pdf', group: 'org' }])
  })

  test('that have no text, such as scans, are described', async () => {
    const { extractor } = extractorOf(async () => ({ kind: 'text', text: ' \n' }))
    expect(await extractor.extractText(pdfFile())).toBe('[application/pdf file, 34 KB, no text extracted]')
  })

  test.for([
    'broken',
    'killed',
    'timeout',
    'too-large',
    'missing',
  ] as const)('that are %s are said to be unreadable', async (reason) => {
    const { extractor } = extractorOf(async () => ({ kind: 'unreadable', reason }))
    expect(await extractor.extractText(pdfFile())).toBe('[report.pdf could not be read]')
  })

  test.for([
    ['too many wait', () => Promise.reject(new DocumentsBusyError('too many documents are waiting'))],
    ['the server stops', async () => ({ kind: 'unreadable', reason: 'stopped' }) as const],
  ] as const)('are not given up when %s: the sender is told to try again', async ([, answer]) => {
    await expect(extractorOf(answer).extractor.extractText(pdfFile())).rejects.toThrow(ExtractorBusyError)
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
