import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newId, OrganizationId } from '@troupe/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { decodeText } from '../formats/decode-text.ts'
import { createPlainTextExtractor } from './plain-text-extractor.ts'

const organizationId = newId(OrganizationId)
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'troupe-text-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test.for<[string, number[], string]>([
  ['UTF-8', [0xc3, 0xa4], 'ä'],
  ['UTF-8 with a mark', [0xef, 0xbb, 0xbf, 0x61], 'a'],
  ['UTF-8 that ends inside of a character', [0x61, 0xc3], 'a'],
  ['UTF-16, little end first', [0xff, 0xfe, 0xe4, 0x00], 'ä'],
  ['UTF-16, big end first', [0xfe, 0xff, 0x00, 0xe4], 'ä'],
  ['Windows-1252', [0x80, 0xe4, 0x20], '€ä '],
  ['nothing', [], ''],
])('%s is read', ([, bytes, text]) => expect(decodeText(Uint8Array.from(bytes))).toBe(text))

test('a text is cut at a million characters, never through one', async () => {
  const path = join(folder, 'long.txt')
  await writeFile(path, `a${'🙂'.repeat(600_000)}`)
  const file = { path, filename: 'long.txt', contentType: 'text/plain', sizeBytes: 2_400_001, organizationId }
  const text = await createPlainTextExtractor().extractText(file)
  expect(text.length).toBe(1_000_000)
  expect(text.isWellFormed()).toBe(true)
})

test('a missing file is reported as such', async () => {
  const file = {
    path: join(folder, 'gone'),
    filename: 'a.txt',
    contentType: 'text/plain',
    sizeBytes: 1,
    organizationId,
  }
  expect(await createPlainTextExtractor().extractText(file)).toBe('[a.txt could not be read]')
})
