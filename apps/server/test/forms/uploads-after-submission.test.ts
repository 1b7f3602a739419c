import type { FileStore } from '@troupe/file-stores'
import { sweepUploads } from '@troupe/operations/forms/sweep-uploads'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FormServer, readBy, runsDuring, startFormServer, upload, visitor } from './form-setting.ts'
import { seedUploadForm, storedFiles } from './upload-setting.ts'

let server: FormServer
let call: ReturnType<typeof visitor>
beforeAll(async () => {
  server = await startFormServer({ env: { TROUPE_FORM_UPLOAD_MAX_MB: '1' } })
  call = visitor(server)
})
afterAll(() => server[Symbol.asyncDispose]())

const seed = () => seedUploadForm(server)
const stored = () => storedFiles(server)

describe('a submission', () => {
  const issue = (field: string, message: string) => ({
    status: 400,
    body: { error: 'validation_error', issues: [{ field, message }] },
  })

  test('cannot contain an object that imitates a file', async () => {
    const { path } = await seed()
    const cv = {
      filename: 'passwd',
      contentType: 'text/plain',
      sizeBytes: 1,
      text: 'x',
      filepath: '/etc/passwd',
    }
    expect(await call(`POST ${path}/submit`, { body: { cv } })).toMatchObject(
      issue('cv', 'must be the id of an uploaded file'),
    )
  })

  test('cannot name a file of another field or form, an unknown one, or a used one', async () => {
    const { path } = await seed()
    const other = await seed()
    const { fileId } = (await upload(server, path, 'a.txt', 'a')).body as { fileId: string }
    const foreign = (await upload(server, other.path, 'a.txt', 'a')).body.fileId
    for (const cv of [foreign, '0193b6c8-5d1e-7c3a-9f42-7b1d2c3e4f50']) {
      expect(await call(`POST ${path}/submit`, { body: { cv } })).toMatchObject(
        issue('cv', 'must be uploaded again'),
      )
    }
    expect(await call(`POST ${path}/submit`, { body: { papers: [fileId] } })).toMatchObject(
      issue('papers', 'has a file that must be uploaded again'),
    )
    expect((await call(`POST ${path}/submit`, { body: { cv: fileId } })).status).toBe(202)
    expect(await call(`POST ${path}/submit`, { body: { cv: fileId } })).toMatchObject(
      issue('cv', 'must be uploaded again'),
    )
  })

  test('refused for another field consumes no files', async () => {
    const { path } = await seed()
    const { fileId } = (await upload(server, path, 'a.txt', 'a')).body
    const body = { cv: fileId, papers: ['0193b6c8-5d1e-7c3a-9f42-7b1d2c3e4f50'] }
    expect((await call(`POST ${path}/submit`, { body })).status).toBe(400)
    expect((await call(`POST ${path}/submit`, { body: { cv: fileId } })).status).toBe(202)
  })

  test('uses a file exclusively: of twenty concurrent ones with the same file, one starts a run', async () => {
    const { path } = await seed()
    const { fileId } = (await upload(server, path, 'a.txt', 'a')).body
    const runs = await runsDuring(server, async () => {
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => call(`POST ${path}/submit`, { body: { cv: fileId } })),
      )
      expect(answers.map(({ status }) => status).toSorted()).toEqual([
        202,
        ...Array.from({ length: 19 }, () => 400),
      ])
    })
    expect(runs).toHaveLength(1)
  })

  test('at the ceiling is 429 with a record; its files can be sent again', async () => {
    const { path } = await seed()
    const {
      database,
      seed: { organizationId },
    } = { database: server.context.database, seed: server.seed }
    const organization = await database.read.organizations.byId(organizationId)
    if (!organization) throw new Error('no organization')
    const { fileId } = (await upload(server, path, 'a.txt', 'a')).body
    const setCeiling = (concurrentRuns: number) =>
      database.transaction(({ write }) => write.organizations.put({ ...organization, concurrentRuns }))
    await setCeiling(0)
    const runs = await runsDuring(server, async () => {
      const answer = await call(`POST ${path}/submit`, { body: { cv: fileId } })
      expect([answer.status, answer.body]).toEqual([
        429,
        {
          error: 'concurrency_limit_reached',
          message: 'The server is busy. Try again in a moment.',
        },
      ])
    })
    expect(runs).toHaveLength(1)
    const { body } = await server.call(`GET /api/v1/workflow-jobs/${runs[0]}`)
    expect(body).toMatchObject({ status: 'concurrency_limit_reached', startedAt: null })
    await setCeiling(organization.concurrentRuns)
    expect(await readBy(server, path, { cv: fileId })).toMatchObject({ cv: { text: 'a' } })
  })
})

describe('retention', () => {
  const HOUR = 60 * 60_000

  test('an upload is deleted after two hours unused, or 30 days after its submission, with its bytes', async () => {
    const { path } = await seed()
    const { formUploads: uploads } = server.context.database
    const unused = (await upload(server, path, 'unused.txt', 'a')).body.fileId
    const used = (await upload(server, path, 'used.txt', 'b')).body.fileId
    expect((await call(`POST ${path}/submit`, { body: { cv: used } })).status).toBe(202)
    const files = server.context.files
    const deleted: string[] = []
    const sweep = (now: number) =>
      sweepUploads(
        {
          uploads,
          files: {
            delete: async (key) => {
              deleted.push(key)
              await files.delete(key)
            },
          },
        },
        now,
      )
    await sweep(Date.now() - 10_000 + 2 * HOUR - 60_000)
    const young = deleted.length
    await sweep(Date.now() + 2 * HOUR + 1_000)
    expect(deleted.length).toBeGreaterThan(young)
    expect(await call(`POST ${path}/submit`, { body: { cv: unused } })).toMatchObject({ status: 400 })
    const left = await stored()
    await sweep(Date.now() + 30 * 24 * HOUR + 1_000)
    expect((await stored()).length).toBeLessThan(left.length)
    expect(
      await uploads.expired(
        { unused: Date.now() + HOUR, used: Date.now() + HOUR, ofEnded: 0, now: Date.now() },
        10,
      ),
    ).toEqual([])
  })

  test('a file that cannot be deleted keeps its row, and is retried', async () => {
    const { path } = await seed()
    await upload(server, path, 'a.txt', 'a')
    await upload(server, path, 'b.txt', 'b')
    const { formUploads: uploads } = server.context.database
    const later = Date.now() + 3 * HOUR
    const tried: string[] = []
    const broken: Pick<FileStore, 'delete'> = {
      delete: async (key) => {
        tried.push(key)
        if (tried.length === 1) throw new Error('the disk is busy')
        await server.context.files.delete(key)
      },
    }
    await expect(sweepUploads({ uploads, files: broken }, later)).rejects.toThrow('1 uploads of forms')
    const left = await uploads.expired({ unused: later, used: 0, ofEnded: 0, now: later }, 10)
    expect(left.map(({ storageKey }) => storageKey)).toEqual([tried[0]])
    await sweepUploads({ uploads, files: server.context.files }, later)
    expect(await uploads.expired({ unused: later, used: 0, ofEnded: 0, now: later }, 10)).toEqual([])
  })
})
