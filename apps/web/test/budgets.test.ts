import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { ensureWebBuilt } from './local-server.ts'

interface Chunk {
  file: string
  name?: string
  isEntry?: boolean
  imports?: string[]
  dynamicImports?: string[]
}

const DIST = join(import.meta.dirname, '..', 'dist')
const KB = 1_024
const kilobytes = (file: string) => gzipSync(readFileSync(join(DIST, file)), { level: 9 }).length / KB

function manifest(): Record<string, Chunk> {
  ensureWebBuilt()
  return JSON.parse(readFileSync(join(DIST, 'manifest.json'), 'utf8'))
}

/** A chunk and what it imports statically, which the browser loads with it. */
function loadedWith(chunks: Record<string, Chunk>, key: string, seen = new Set<string>()): Set<string> {
  const chunk = chunks[key]
  if (!chunk || seen.has(key)) return seen
  seen.add(key)
  for (const one of chunk.imports ?? []) loadedWith(chunks, one, seen)
  return seen
}

const sizeOf = (chunks: Record<string, Chunk>, keys: Iterable<string>) =>
  [...keys].reduce((sum, key) => {
    const file = chunks[key]?.file ?? ''
    return sum + (file.endsWith('.js') ? kilobytes(file) : 0)
  }, 0)

test('the first load is at most 200 KB of compressed JavaScript, with Home', () => {
  const chunks = manifest()
  const entry = Object.keys(chunks).find((key) => chunks[key]?.isEntry)
  const first = new Set([
    ...loadedWith(chunks, entry ?? ''),
    ...loadedWith(chunks, 'src/features/home/home-page.tsx'),
  ])
  const size = sizeOf(chunks, first)
  expect(size).toBeGreaterThan(50)
  expect(size).toBeLessThanOrEqual(200)
}, 120_000)

test('a page adds at most 60 KB to the shell, the editor of code at most 130 KB', () => {
  const chunks = manifest()
  const entry = Object.keys(chunks).find((key) => chunks[key]?.isEntry) ?? ''
  const shell = loadedWith(chunks, entry)
  const added = Object.keys(chunks)
    .filter((key) => /^src\/(features\/.*-page|atoms\/code\/code-editor)\.tsx$/.test(key))
    .map((key) => {
      const own = [...loadedWith(chunks, key)].filter((one) => !shell.has(one))
      return { key, size: sizeOf(chunks, own) }
    })
  expect(added.length).toBeGreaterThan(1)
  expect(added.filter(({ key, size }) => size > (key.includes('code-editor') ? 130 : 60))).toEqual([])
}, 120_000)
