import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { doc, docx, docxEntries, pdf, workbook } from '@troupe/documents/testing'
import { docxBomb, endlessPdf } from '@troupe/documents/testing/hostile'
import { zip } from '@troupe/documents/testing/zip'
import { createS3FileStore } from '@troupe/file-stores'
import { startS3Server } from '@troupe/file-stores/testing/s3-server'
import { BusyError } from '@troupe/heavy-work'
import { seedForm } from '@troupe/test-kit/seed-form'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type FormServer, readBy, startFormServer, upload } from './form-setting.ts'

const FIELDS = [{ name: 'cv', label: 'CV', type: 'file' }]

let server: FormServer
beforeAll(async () => {
  server = await startFormServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const seed = (on = server) => seedForm(on.context, { organizationId: on.seed.organizationId, fields: FIELDS })

/** The value of a file in a workflow. */
async function fieldValueOf(filename: string, bytes: Buffer): Promise<unknown> {
  const { path } = await seed()
  const { status, body } = await upload(server, path, filename, bytes)
  expect(status).toBe(201)
  return ((await readBy(server, path, { cv: body.fileId })) as { cv: unknown }).cv
}

const OFFICE = 'application/vnd.openxmlformats-officedocument'

describe('documents', () => {
  test.for([
    ['cv.pdf', pdf(['Ana, CV']), 'application/pdf', 'Ana, CV'],
    ['cv.DOCX', docx(['Ana Müller', 'CV']), `${OFFICE}.wordprocessingml.document`, 'Ana Müller\n\nCV'],
    ['cv.doc', doc('Ana Müller'), 'application/msword', 'Ana Müller'],
    ['sums.xlsx', workbook('xlsx', { S: [['a', 1]] }), `${OFFICE}.spreadsheetml.sheet`, '# S\na,1'],
    ['sums.xls', workbook('biff8', { S: [['a', 1]] }), 'application/vnd.ms-excel', '# S\na,1'],
  ] as const)('%s: the workflow reads its text', async ([filename, bytes, contentType, text]) => {
    expect(await fieldValueOf(filename, bytes)).toEqual({
      filename,
      contentType,
      sizeBytes: bytes.length,
      text,
    })
  })

  test('an unreadable one is 201 too, with the reason', async () => {
    const half = docx(['x']).subarray(0, 600)
    for (const bytes of [
      docxBomb(),
      zip(docxEntries(['x']).map((entry) => ({ ...entry, localMethod: 0 }))),
      half,
    ]) {
      expect(await fieldValueOf('report.docx', bytes)).toMatchObject({
        text: expect.stringMatching(/^\[report\.docx could not be read\]$|no text extracted\]$/),
      })
    }
  })

  test('one with a wrong name is described by its content', async () => {
    expect(await fieldValueOf('cv.docx', pdf(['Ana']))).toMatchObject({
      contentType: 'application/pdf',
      text: '[application/pdf file, 1 KB, no text extracted]',
    })
  })

  test('429 while too many are being parsed; nothing is kept', async () => {
    const { path } = await seed()
    const { textExtractor, config } = server.context
    const extractText = textExtractor.extractText
    textExtractor.extractText = () => Promise.reject(new BusyError('too many'))
    try {
      const before = await readdir(join(config.dataDirectory, 'files'), { recursive: true })
      expect(await upload(server, path, 'cv.pdf', pdf(['x']))).toMatchObject({
        status: 429,
        body: { error: 'rate_limit_exceeded', message: 'too many', retry_after: 5 },
      })
      expect(await readdir(join(config.dataDirectory, 'files'), { recursive: true })).toEqual(before)
    } finally {
      textExtractor.extractText = extractText
    }
  })
})

test('with S3, uploads are in the bucket and not on this machine', async () => {
  await using s3 = await startS3Server()
  await using files = createS3FileStore(s3.options)
  await using other = await startFormServer({ overrides: { files } })
  const { path } = await seed(other)
  const { status, body } = await upload(other, path, 'cv.txt', 'Ana')
  expect(status).toBe(201)
  expect(s3.requests.filter((request) => request.startsWith('PUT'))).toHaveLength(1)
  expect(await readBy(other, path, { cv: body.fileId })).toMatchObject({ cv: { text: 'Ana' } })
  expect(await readdir(join(other.context.config.dataDirectory, 'incoming'))).toEqual([])
  s3.failures.push(503, 503, 503)
  expect(await upload(other, path, 'cv.txt', 'Ana')).toMatchObject({
    status: 422,
    body: { error: 'file_rejected' },
  })
})

test('a stopping server ends the processes of its documents', async () => {
  const other = await startFormServer()
  const { path } = await seed(other)
  const processes = () => process.getActiveResourcesInfo().filter((kind) => kind === 'ProcessWrap').length
  const before = processes()
  const uploading = upload(other, path, 'cv.pdf', endlessPdf())
  await vi.waitFor(() => expect(processes()).toBe(before + 1), { timeout: 10_000, interval: 10 })
  await other[Symbol.asyncDispose]()
  // The process has exited; its handle is closed a turn of the event loop later.
  await vi.waitFor(() => expect(processes()).toBe(before), { timeout: 1_000, interval: 5 })
  expect(await uploading).toMatchObject({ status: 429, body: { error: 'rate_limit_exceeded' } })
})
