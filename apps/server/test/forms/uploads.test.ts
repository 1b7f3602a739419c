import { newId, UploadId } from '@troupe/contract'
import type { FileStore } from '@troupe/file-stores'
import { uploadQuota } from '@troupe/operations/forms/upload-quota'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type FormServer, multipart, readBy, startFormServer, upload, visitor } from './form-setting.ts'
import { seedUploadForm, storedFiles } from './upload-setting.ts'

let server: FormServer
let call: ReturnType<typeof visitor>
let fails: boolean
beforeAll(async () => {
  server = await startFormServer({ env: { TROUPE_FORM_UPLOAD_MAX_MB: '1' } })
  call = visitor(server)
  const { files } = server.context
  const put = files.put.bind(files)
  files.put = (...given: Parameters<FileStore['put']>) =>
    fails ? Promise.reject(new Error('no space on /var/secret')) : put(...given)
})
beforeEach(() => {
  fails = false
})
afterAll(() => server[Symbol.asyncDispose]())

const seed = () => seedUploadForm(server)

const stored = () => storedFiles(server)

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

describe('POST /forms/{formToken}/upload', () => {
  test('201: the file is stored, and its text is the value of its field', async () => {
    const { path } = await seed()
    const answer = await upload(server, path, 'cv.txt', '\ufeffAna Müller')
    expect(answer).toEqual({
      status: 201,
      body: { fileId: expect.any(String), filename: 'cv.txt', sizeBytes: 14 },
    })
    const read = await readBy(server, path, { cv: answer.body.fileId })
    expect(read).toEqual({
      name: null,
      papers: [],
      cv: { filename: 'cv.txt', contentType: 'text/plain', sizeBytes: 14, text: 'Ana Müller' },
    })
  })

  test('several files are a list in the order of the submission', async () => {
    const { path } = await seed()
    const ids = []
    for (const name of ['a.txt', 'b.MD']) {
      ids.push((await upload(server, path, name, name, { field: 'papers' })).body.fileId)
    }
    const read = (await readBy(server, path, { papers: ids.reverse() })) as { papers: { text: string }[] }
    expect(read.papers.map(({ text }) => text)).toEqual(['b.MD', 'a.txt'])
  })

  test('an image has a description instead of a text', async () => {
    const { path } = await seed()
    const { body } = await upload(server, path, 'photo.png', PNG)
    expect(await readBy(server, path, { cv: body.fileId })).toMatchObject({
      cv: { contentType: 'image/png', text: '[image/png file, 1 KB, no text extracted]' },
    })
  })

  test('the declared type is ignored: an image named as text is an image', async () => {
    const { path } = await seed()
    const { body } = await upload(server, path, 'photo.txt', PNG)
    expect(await readBy(server, path, { cv: body.fileId })).toMatchObject({
      cv: { contentType: 'image/png', text: '[image/png file, 1 KB, no text extracted]' },
    })
  })

  test.for([
    ['../../etc/passwd', 'passwd'],
    ['..\\\\..\\\\boot.ini', 'boot.ini'],
    ['/root/.ssh/id_rsa', 'id_rsa'],
    ['..', 'file'],
    ['', 'file'],
    [`${'x'.repeat(400)}.txt`, `${'x'.repeat(251)}.txt`],
    // Cut between the halves of a surrogate pair.
    [`${'x'.repeat(250)}😀.txt`, `${'x'.repeat(250)}\ufffd.txt`],
    ['invoice\u202efdp.exe', 'invoicefdp.exe'],
    ['\u2066a\u2069\u200e\u200f\u061c.txt', 'a.txt'],
    ['a\u200bb\u00ad\ufeff\u2028\u3164.txt', 'ab.txt'],
    ['\u200b', 'file'],
    ['نام\u200cه ❤\ufe0f.txt', 'نام\u200cه ❤\ufe0f.txt'],
  ] as const)('the name %j is metadata only: %j', async ([sent, kept]) => {
    const { path } = await seed()
    const { status, body } = await upload(server, path, sent, 'x')
    expect([status, body.filename]).toEqual([201, kept])
    expect((await stored()).some((name) => kept.includes(name))).toBe(false)
  })

  test.for(['nothing', 'name', 'toString'])('400 when `field` is %s: no file field', async (field) => {
    const { path } = await seed()
    expect(await upload(server, path, 'a.txt', 'a', { field })).toMatchObject({
      status: 400,
      body: {
        error: 'validation_error',
        errors: [{ path: 'field', message: 'is not a file field of this form' }],
      },
    })
  })

  test('422 for another extension, before the bytes are read', async () => {
    const { path } = await seed()
    expect(await upload(server, path, 'a.exe', 'x', { field: 'papers' })).toMatchObject({
      status: 422,
      body: {
        error: 'file_rejected',
        message: 'This kind of file is not accepted here, only .txt, .md. A file may have at most 1 MB.',
      },
    })
    expect((await upload(server, path, 'A.TXT', 'x', { field: 'papers' })).status).toBe(201)
  })

  test('422 over the limit, which is named; exactly the limit is accepted; nothing is left behind', async () => {
    const { path } = await seed()
    const before = (await stored()).length
    expect((await upload(server, path, 'a.bin', Buffer.alloc(1024 * 1024))).status).toBe(201)
    expect(await upload(server, path, 'a.bin', Buffer.alloc(1024 * 1024 + 1))).toMatchObject({
      status: 422,
      body: { error: 'file_rejected', message: 'The file is too large. A file may have at most 1 MB.' },
    })
    expect((await stored()).length).toBe(before + 1)
  })

  test('422 if the storage fails; its message is for the log', async () => {
    const { path } = await seed()
    const before = await stored()
    fails = true
    const { status, body } = await upload(server, path, 'a.txt', 'a')
    expect([status, body]).toEqual([
      422,
      {
        error: 'file_rejected',
        message: 'The file could not be stored. Try again later. A file may have at most 1 MB.',
      },
    ])
    expect(await stored()).toEqual(before)
  })

  test.for<[string, ReturnType<typeof multipart>]>([
    ['no part', multipart()],
    ['a text instead of a file', multipart({ name: 'file', content: 'a' })],
    ['a part of another name', multipart({ name: 'other', filename: 'a.txt', content: 'a' })],
    [
      'two files',
      multipart(
        { name: 'file', filename: 'a.txt', content: 'a' },
        { name: 'file', filename: 'b.txt', content: 'b' },
      ),
    ],
    [
      'a field beside the file',
      multipart({ name: 'file', filename: 'a.txt', content: 'a' }, { name: 'x', content: 'b' }),
    ],
  ])('400 for %s, and nothing is left behind', async ([, { headers, payload }]) => {
    const { path } = await seed()
    const before = await stored()
    const answer = await server.app.inject({
      method: 'POST',
      url: `${path}/upload?field=cv`,
      headers,
      payload,
    })
    expect([answer.statusCode, answer.json()]).toMatchObject([
      400,
      { errors: [{ path: 'file', message: 'must be the only part of a multipart/form-data body' }] },
    ])
    expect(await stored()).toEqual(before)
  })

  test('400 for a truncated body', async () => {
    const { path } = await seed()
    const { headers, payload } = multipart({ name: 'file', filename: 'a.txt', content: 'a'.repeat(5_000) })
    const cut = payload.subarray(0, 3_000)
    const answer = await server.app.inject({
      method: 'POST',
      url: `${path}/upload?field=cv`,
      headers,
      payload: cut,
    })
    expect(answer.statusCode).toBe(400)
  })

  test('415 for other types than multipart', async () => {
    const { path } = await seed()
    const answer = await call(`POST ${path}/upload?field=cv`, { body: { file: 'x' } })
    expect([answer.status, answer.body]).toMatchObject([
      415,
      { message: 'The Content-Type must be multipart/form-data.' },
    ])
  })

  test('422 if unsubmitted uploads exceed the limit, until they are submitted or deleted', async () => {
    const { path, workflowId } = await seed()
    const { organizationId } = server.seed
    const { formUploads } = server.context.database
    const id = newId(UploadId)
    const others = {
      organizationId,
      workflowId,
      listenerId: null,
      field: 'cv',
      filename: 'a',
      createdAt: Date.now(),
    }
    const quota = uploadQuota(2 ** 40)
    const large = { ...others, id, storageKey: id, visitor: 'others', sizeBytes: quota.workflowBytes }
    await formUploads.insert(large, quota)
    const before = await stored()
    expect(await upload(server, path, 'cv.txt', 'a')).toEqual({
      status: 422,
      body: {
        error: 'file_rejected',
        message:
          'Too many uploaded files have not been submitted yet. Try again later. A file may have at most 1 MB.',
      },
    })
    expect(await stored()).toEqual(before)
    await formUploads.delete([id])
    expect((await upload(server, path, 'cv.txt', 'a')).status).toBe(201)
  })

  test('422 if one network has used its share of unsubmitted uploads; others are unaffected', async () => {
    const { path, workflowId } = await seed()
    const { forms, database } = server.context
    const quota = uploadQuota(forms.maxFileBytes)
    const id = newId(UploadId)
    const waiting = {
      ...{ id, storageKey: id, workflowId, organizationId: server.seed.organizationId },
      ...{
        listenerId: null,
        field: 'cv',
        filename: 'a',
        createdAt: Date.now(),
        sizeBytes: quota.visitor.workflowBytes,
      },
      visitor: forms.secret.nameOf('2001:db8::1'),
    }
    expect(await database.formUploads.insert(waiting, quota)).toBe('stored')
    const from = (remoteAddress: string) => {
      const { headers, payload } = multipart({ name: 'file', filename: 'a.txt', content: 'a' })
      const url = `${path}/upload?field=cv`
      return server.app.inject({ method: 'POST', url, headers, payload, remoteAddress })
    }
    const refused = await from('2001:db8::2')
    expect([refused.statusCode, refused.json()]).toEqual([
      422,
      {
        error: 'file_rejected',
        message:
          'Too many uploaded files from your network have not been submitted yet. Submit the form, or try again later. A file may have at most 1 MB.',
      },
    ])
    expect((await from('2001:db8:0:1::1')).statusCode).toBe(201)
    await database.formUploads.delete([id])
    expect((await from('2001:db8::2')).statusCode).toBe(201)
  })

  test('429: uploads and submissions share their limit', async () => {
    const { path } = await seed()
    for (let at = 0; at < 30; at += 1) {
      await upload(server, path, 'a.txt', 'a')
      await call(`POST ${path}/submit`, { body: {} })
    }
    const last = await call(`POST ${path}/submit`, { body: {} })
    expect(last).toMatchObject({ status: 429, body: { error: 'rate_limit_exceeded' } })
    expect(last.headers['retry-after']).toBe(String((last.body as { retry_after: number }).retry_after))
    expect((await upload(server, path, 'a.txt', 'a')).status).toBe(429)
  })
})
