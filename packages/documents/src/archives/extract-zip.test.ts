import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type ZipEntry, zip } from '../testing/zip.ts'
import { extractZip } from './extract-zip.ts'
import { readZip } from './read-zip.ts'
import { BadArchive } from './zip-files.ts'

const LIMITS = { entries: 20, inflatedBytes: 1024 * 1024, ratio: 200 }

const ARCHIVES: Readonly<Record<string, { entries: ZipEntry[]; refusal: RegExp; isForDiskOnly?: true }>> = {
  'a wrong checksum': {
    entries: [{ name: 'a.md', data: 'A', claimedCrc: 1 }],
    refusal: /checksum of a\.md is wrong/,
  },
  'a file twice': {
    entries: [
      { name: 'a.md', data: 'A' },
      { name: 'a.md', data: 'B' },
    ],
    refusal: /the same name twice/,
  },
  'a path that is too long': {
    entries: [{ name: `${'a/'.repeat(600)}b`, data: '' }],
    refusal: /a path that is too long/,
  },
  'many folders in few paths': {
    entries: [
      { name: `a/${'d/'.repeat(12)}x`, data: '' },
      { name: `b/${'d/'.repeat(12)}x`, data: '' },
    ],
    refusal: /more than 20 folders/,
    isForDiskOnly: true,
  },
}

test.each(Object.entries(ARCHIVES))('an archive with %s is refused with the reason', async (_, archive) => {
  const { entries, refusal, isForDiskOnly } = archive
  const bytes = zip(entries)
  await using folder = await temporaryFolder()
  const path = join(folder.path, 'archive.zip')
  await writeFile(path, bytes)
  const extracted = extractZip(path, join(folder.path, 'files'), LIMITS)
  await expect(extracted).rejects.toThrow(BadArchive)
  await expect(extracted).rejects.toThrow(refusal)
  if (!isForDiskOnly) await expect(readZip(bytes, LIMITS)).rejects.toThrow(refusal)
})

test.each([
  0, 1, 21, 60, 100,
])('an archive that ends after %i bytes is refused with an error message', async (bytes) => {
  await using folder = await temporaryFolder()
  const path = join(folder.path, 'archive.zip')
  await writeFile(path, zip([{ name: 'a.md', data: 'A'.repeat(100) }]).subarray(0, bytes))
  await expect(extractZip(path, join(folder.path, 'files'), LIMITS)).rejects.toThrow(BadArchive)
})

// On a busy machine, 19,900 empty files occupied one place for heavy work for two minutes, even after the sender had
// disconnected.
test('the extraction of an archive stops when its sender disconnects', async () => {
  await using folder = await temporaryFolder()
  const path = join(folder.path, 'archive.zip')
  await writeFile(path, zip(['a', 'b', 'c'].map((name) => ({ name, data: name }))))
  const gone = new AbortController()
  const files = join(folder.path, 'files')
  const extracted = extractZip(path, files, LIMITS, {
    ...gone.signal,
    get aborted() {
      return existsSync(join(files, 'b'))
    },
    throwIfAborted() {
      throw new Error('gone')
    },
  })
  await expect(extracted).rejects.toThrow('gone')
  expect(await readdir(files)).toEqual(['a', 'b'])
})

test('a whole archive is extracted and read with the same files', async () => {
  const bytes = zip([
    { name: 'a.md', data: 'A' },
    { name: 'b/c.md', data: 'C' },
  ])
  await using folder = await temporaryFolder()
  const path = join(folder.path, 'archive.zip')
  await writeFile(path, bytes)
  await extractZip(path, join(folder.path, 'files'), LIMITS)
  for (const file of await readZip(bytes, LIMITS)) {
    expect(await readFile(join(folder.path, 'files', file.path))).toEqual(file.bytes)
  }
  expect((await readZip(bytes, LIMITS)).map(({ path }) => path)).toEqual(['a.md', 'b/c.md'])
})

async function temporaryFolder() {
  const path = await mkdtemp(join(tmpdir(), 'troupe-archive-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}
