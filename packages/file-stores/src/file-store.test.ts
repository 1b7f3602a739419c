import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createDiskFileStore } from './disk-file-store.ts'
import type { FileStore, LocalFile } from './file-store.ts'
import { createS3FileStore, S3Error } from './s3-file-store.ts'
import { newStorageKey } from './storage-key.ts'
import { type S3Server, signatureOf, startS3Server } from './testing/s3-server.ts'

const MB = 1024 * 1024

let folder: string
let s3: S3Server
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'file-store-'))
  s3 = await startS3Server()
})
beforeEach(() => {
  s3.requests.length = 0
  s3.failures.length = 0
})
afterAll(async () => {
  await s3[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

let number = 0
async function local(content: string | Buffer, contentType = 'text/plain'): Promise<LocalFile> {
  number += 1
  const path = join(folder, `incoming-${number}`)
  await writeFile(path, content)
  return { path, contentType, sizeBytes: Buffer.byteLength(content) }
}

/** A store of each kind, for one test. */
const STORES: Record<string, () => FileStore & Partial<AsyncDisposable>> = {
  disk: () => createDiskFileStore(join(folder, 'store')),
  s3: () => createS3FileStore(s3.options),
}

describe.for(Object.entries(STORES))('a file store: %s', ([, open]) => {
  let store: ReturnType<typeof open>
  beforeAll(() => {
    store = open()
  })
  afterAll(() => store[Symbol.asyncDispose]?.())

  test('returns the stored bytes', async () => {
    const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, index) => (index * 31) & 255))
    const key = newStorageKey('form-uploads')
    await store.put(key, await local(bytes, 'application/pdf'))
    const stream = await store.open(key)
    expect(stream && (await buffer(stream)).equals(bytes)).toBe(true)
  })

  test('keeps an empty file', async () => {
    const key = newStorageKey('form-uploads')
    await store.put(key, await local(''))
    const stream = await store.open(key)
    expect(stream && (await buffer(stream)).length).toBe(0)
  })

  test('a deleted file no longer exists; deleting a missing file does nothing', async () => {
    const key = newStorageKey('form-uploads')
    await store.put(key, await local('x'))
    await store.delete(key)
    await store.delete(key)
    expect(await store.open(key)).toBeNull()
    expect(await store.open(newStorageKey('form-uploads'))).toBeNull()
  })

  test.for([
    '',
    '..',
    '../../etc/passwd',
    '/etc/passwd',
    'form-uploads/../../etc/passwd',
    'form-uploads/Ab/../../secret.key',
    'form-uploads\\Ab\\x',
    'form-uploads/Ab/%2e%2e%2fsecret',
    `${newStorageKey('form-uploads')}/..`,
    `${newStorageKey('form-uploads')}?acl`,
    `${newStorageKey('form-uploads')}\n`,
  ])('refuses the key %j before any request', async (key) => {
    const before = s3.requests.length
    await expect(store.open(key)).rejects.toThrow(TypeError)
    await expect(store.delete(key)).rejects.toThrow(TypeError)
    await expect(store.put(key, await local('x'))).rejects.toThrow(TypeError)
    expect(s3.requests.length).toBe(before)
  })

  test('a file that is not there cannot be stored, and leaves nothing', async () => {
    const key = newStorageKey('form-uploads')
    const missing = { path: join(folder, 'missing'), contentType: 'text/plain', sizeBytes: 3 }
    await expect(store.put(key, missing)).rejects.toThrow('ENOENT')
    expect(await store.open(key)).toBeNull()
  })

  test('reports whether it works', async () => {
    await expect(store.ping()).resolves.toBeUndefined()
  })

  test('a large file is streamed without being held in memory', async () => {
    const sizeBytes = 256 * MB
    const { path } = await local('')
    // A file with a hole: it costs no disk.
    await truncate(path, sizeBytes)
    const key = newStorageKey('form-uploads')
    const used = () => process.memoryUsage().arrayBuffers + process.memoryUsage().heapUsed
    let peak = 0
    const before = used()
    const watch = setInterval(() => {
      peak = Math.max(peak, used() - before)
    }, 5)
    await store.put(key, { path, contentType: 'text/plain', sizeBytes })
    let length = 0
    for await (const part of (await store.open(key)) ?? []) length += (part as Buffer).length
    clearInterval(watch)
    await store.delete(key)
    expect(length).toBe(sizeBytes)
    // Chunks that are not yet collected as garbage count, too; a file held in memory completely would exceed its size.
    expect(peak).toBeLessThan(sizeBytes * 0.75)
  })
})

describe('the disk', () => {
  test('holds files that only this user may read, in small folders', async () => {
    const directory = join(folder, 'private')
    const key = newStorageKey('form-uploads')
    await createDiskFileStore(directory).put(key, await local('x'))
    expect((await stat(join(directory, 'form-uploads'))).mode & 0o077).toBe(0)
    expect(await readdir(join(directory, 'form-uploads'))).toEqual([key.split('/')[1]])
  })
})

describe('S3', () => {
  test('signatures are checked as Amazon has published them', () => {
    const headers = {
      host: 'examplebucket.s3.amazonaws.com',
      range: 'bytes=0-9',
      'x-amz-content-sha256': createHash('sha256').digest('hex'),
      'x-amz-date': '20130524T000000Z',
    }
    const signature = signatureOf(
      { method: 'GET', url: '/test.txt', headers },
      {
        scope: '20130524/us-east-1/s3/aws4_request',
        signedHeaders: Object.keys(headers),
        secret: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
      },
    )
    expect(signature).toBe('f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41')
  })

  test('a file has its type and its path', async () => {
    await using store = createS3FileStore(s3.options)
    const key = newStorageKey('form-uploads')
    await store.put(key, await local('x', 'application/pdf'))
    expect(s3.requests).toEqual([`PUT /files/${key}`])
    expect(s3.types.get(`/files/${key}`)).toBe('application/pdf')
  })

  test.for([
    { failures: [503] },
    { failures: [0] },
    { failures: [500, 0] },
  ])('transient failures are retried: $failures', async ({ failures }) => {
    await using store = createS3FileStore(s3.options)
    const key = newStorageKey('form-uploads')
    s3.failures.push(...failures)
    await store.put(key, await local('x'))
    expect(s3.requests).toHaveLength(failures.length + 1)
    const stream = await store.open(key)
    expect(stream && (await buffer(stream)).toString()).toBe('x')
  })

  test('it fails after three attempts', async () => {
    await using store = createS3FileStore(s3.options)
    s3.failures.push(503, 503, 503)
    await expect(store.put(newStorageKey('form-uploads'), await local('x'))).rejects.toThrow(
      new S3Error('the file store answered PUT with 503 SlowDown'),
    )
    expect(s3.requests).toHaveLength(3)
  })

  test.for([
    ['a wrong secret', { secretAccessKey: 'wrong' }, '403 SignatureDoesNotMatch'],
    ['a wrong key', { accessKeyId: 'AKIAOTHER' }, '403 InvalidAccessKeyId'],
    ['a wrong region', { region: 'us-east-1' }, '403 AuthorizationHeaderMalformed'],
    ['a wrong bucket', { bucket: 'other' }, '404 NoSuchBucket'],
  ] as const)('%s is reported in words, once, without the secret', async ([, wrong, answer]) => {
    await using store = createS3FileStore({ ...s3.options, ...wrong })
    const failure = await store
      .put(newStorageKey('form-uploads'), await local('x'))
      .catch((error: unknown) => error)
    expect(failure).toEqual(new S3Error(`the file store answered PUT with ${answer}`))
    expect(s3.requests).toHaveLength(1)
    await expect(store.ping()).rejects.toThrow(S3Error)
  })

  test('a file that grew or shrank since it was measured is not stored', async () => {
    await using store = createS3FileStore(s3.options)
    for (const sizeBytes of [1, 5]) {
      const key = newStorageKey('form-uploads')
      const file = await local('abc')
      await expect(store.put(key, { ...file, sizeBytes })).rejects.toThrow()
      expect(await store.open(key)).toBeNull()
    }
  })

  test('a missing listener is a failure', async () => {
    await using store = createS3FileStore({ ...s3.options, endpoint: 'http://127.0.0.1:1' })
    await expect(store.ping()).rejects.toThrow('ECONNREFUSED')
  })
})
