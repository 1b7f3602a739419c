import { copyFileSync, mkdirSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { crc32 } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { bundledProgram, MANIFEST, type ProgramManifest } from './program-bundle.ts'

let root: string
let source: string
let start: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'troupe-bundle-'))
  source = join(root, 'source.ts')
  writeFileSync(source, 'let a = 1')
  const { size, mtimeMs } = statSync(source)
  const folder = join(root, 'bundle')
  start = join(folder, 'start.mjs')
  mkdirSync(folder)
  writeFileSync(start, '')
  const inputs = [{ path: 'source.ts', size, mtimeMs, crc32: crc32('let a = 1') }]
  writeManifest({ root, folder, inputs })
})
afterEach(() => rmSync(root, { recursive: true }))

function writeManifest(manifest: ProgramManifest): void {
  mkdirSync(join(root, MANIFEST, '..'), { recursive: true })
  writeFileSync(join(root, MANIFEST), JSON.stringify(manifest))
}

test('a bundle of unchanged files is used, even if a copy changed their times', () => {
  expect(bundledProgram('start', root)).toBe(pathToFileURL(start).href)
  utimesSync(source, 1, 1)
  expect(bundledProgram('start', root)).toBe(pathToFileURL(start).href)
})

test.for([
  ['a file has changed', () => writeFileSync(source, 'let a = 2')],
  ['a file is longer', () => writeFileSync(source, 'let a = 10')],
  ['a file is gone', () => rmSync(source)],
  ['it was removed', () => rmSync(start)],
  ['its manifest is damaged', () => writeFileSync(join(root, MANIFEST), '{')],
  [
    'it belongs to another folder',
    () => writeManifest({ root: '/elsewhere', folder: join(root, 'bundle'), inputs: [] }),
  ],
] as const)('a bundle is not used when %s', ([, change]) => {
  change()
  expect(bundledProgram('start', root)).toBeNull()
})

test('a copied checkout does not use the bundle of its original', async () => {
  const loading = join(root, 'apps', 'server', 'src', 'loading')
  mkdirSync(loading, { recursive: true })
  mkdirSync(join(root, 'bundle', 'loading'))
  const bundled = join(root, 'bundle', 'loading', 'load-program.mjs')
  writeFileSync(bundled, '')
  const beginsWith = async (name: string, from: string) => {
    writeManifest({ root: from, folder: join(root, 'bundle'), inputs: [] })
    // Imported under a unique name, because Node caches modules.
    copyFileSync(new URL('./bundled-loader.js', import.meta.url), join(loading, name))
    const loader: { loaderUrl(): string } = await import(pathToFileURL(join(loading, name)).href)
    return loader.loaderUrl()
  }
  const source = pathToFileURL(join(loading, 'load-program.ts')).href
  expect(await beginsWith('here.mjs', `${root}/`)).toBe(pathToFileURL(bundled).href)
  expect(await beginsWith('elsewhere.mjs', '/elsewhere/')).toBe(source)
})
