import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { recogniseFile } from '@troupe/documents'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDiskFileStore } from './disk-file-store.ts'
import { FileTooLargeError, IncomingFiles } from './incoming-files.ts'
import { newStorageKey } from './storage-key.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'troupe-files-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const PDF = '%PDF-1.7\n%âãÏÓ\n'
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex')

test.for<[string, string | Buffer, string, string | null]>([
  ['a.txt', 'text', 'text/plain', 'txt'],
  ['A.CSV', 'a;b', 'text/csv', 'csv'],
  ['a.md', '# a', 'text/markdown', 'md'],
  ['a.html', '<!doctype html>', 'text/html', 'html'],
  ['a.xml', '<?xml version="1.0"?><a/>', 'application/xml', 'xml'],
  ['a.pdf', PDF, 'application/pdf', 'pdf'],
  ['a.txt', PDF, 'application/pdf', null],
  ['a.pdf', PNG, 'image/png', null],
  ['a.pdf', 'no pdf at all', 'application/octet-stream', null],
  ['a.docx', 'no zip at all', 'application/octet-stream', null],
  ['a', 'text', 'application/octet-stream', null],
  ['a.constructor', 'text', 'application/octet-stream', null],
])('%s with %j is %s, format %s', async ([filename, content, contentType, format]) => {
  const path = join(folder, 'sniffed')
  await writeFile(path, content)
  expect(await recogniseFile(path, filename)).toEqual({ contentType, format })
})

test('the disk store returns the stored bytes, and a second deletion is silent', async () => {
  const store = createDiskFileStore(join(folder, 'store'))
  const [key, path] = [newStorageKey('form-uploads'), join(folder, 'given')]
  await writeFile(path, 'content')
  await store.put(key, { path, contentType: 'text/plain', sizeBytes: 7 })
  const stream = await store.open(key)
  expect(stream && (await stream.toArray()).join('')).toBe('content')
  await store.delete(key)
  await store.delete(key)
  expect(await store.open(key)).toBeNull()
})

test.for([
  '../x',
  'form-uploads/../../x',
  '/etc/passwd',
  'form-uploads/aa/x',
])('%s is not a key', async (key) => {
  const store = createDiskFileStore(join(folder, 'store'))
  await expect(store.open(key)).rejects.toThrow('not a storage key')
})

test('a folder of uploads that cannot be made is noticed before an upload', async () => {
  const file = join(folder, 'a-file')
  await writeFile(file, '')
  await expect(new IncomingFiles(join(file, 'incoming')).prepare()).rejects.toThrow('ENOTDIR')
  await new IncomingFiles(join(folder, 'new', 'incoming')).prepare()
})

test('an incoming file is aborted at the first byte over the limit and leaves nothing; abandoned ones are swept', async () => {
  const incoming = new IncomingFiles(join(folder, 'incoming'))
  const bytes = (count: number) => Readable.from([Buffer.alloc(count)])
  await expect(incoming.receive(bytes(11), 10)).rejects.toBeInstanceOf(FileTooLargeError)
  const kept = await incoming.receive(bytes(10), 10)
  expect(kept.sizeBytes).toBe(10)
  await incoming.sweep(Date.now() + 59 * 60_000)
  await using again = await incoming.receive(bytes(1), 10)
  await incoming.sweep(Date.now() + 61 * 60_000)
  const store = join(folder, 'incoming')
  await expect(rm(join(store, kept.path.split('/').at(-1) ?? ''))).rejects.toThrow('ENOENT')
  expect(again.sizeBytes).toBe(1)
})
