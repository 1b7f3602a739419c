import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openDatabase } from '@troupe/database'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { ensureImage, IMAGE_CACHE } from '../src/pglite/database-image.ts'

const OPENER = fileURLToPath(new URL('open-folder.ts', import.meta.url))
const ROUNDS = 8

let folder: string
let child: ChildProcessByStdio<null, Readable, null> | null = null
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'troupe-first-start-'))
})
afterEach(async () => {
  await kill()
  rmSync(folder, { recursive: true, force: true })
})

async function kill(): Promise<void> {
  if (child && child.exitCode === null && child.signalCode === null) {
    child.kill('SIGKILL')
    await once(child, 'close')
  }
  child = null
}

/** Starts a process that opens the data folder; what it prints, and when it is ready. */
function startOpening(cache: string) {
  const opened = spawn(process.execPath, [OPENER, folder, cache], { stdio: ['ignore', 'pipe', 'inherit'] })
  child = opened
  let printed = ''
  const ready = Promise.withResolvers<void>()
  opened.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text
    if (printed.split('\n').length > 2) ready.resolve()
  })
  opened.once('close', () => ready.resolve())
  return { ready: ready.promise, stored: () => printed.split('\n').slice(1, -1) }
}

it('a first start that is killed at any moment leaves a folder that the next start can use', async () => {
  await ensureImage(IMAGE_CACHE, () => {})
  const began = performance.now()
  await startOpening(IMAGE_CACHE).ready
  const whole = performance.now() - began
  await kill()
  for (let round = 0; round < ROUNDS; round += 1) {
    rmSync(folder, { recursive: true, force: true })
    const { ready, stored } = startOpening(IMAGE_CACHE)
    await Promise.race([pause((whole * (round + Math.random())) / ROUNDS), ready])
    await kill()
    await using database = await openDatabase({ kind: 'pglite', directory: folder })
    const found = (await database.read.organizations.all()).map(({ id }) => String(id))
    expect(stored().filter((id) => !found.includes(id))).toEqual([])
    expect(readdirSync(folder).filter((name) => name.includes('draft'))).toEqual([])
  }
}, 120_000)

it('a first start that is killed while it makes the image leaves nothing that the next one trips over', async () => {
  const cache = join(folder, 'cache')
  for (const afterMs of [300, 1_500]) {
    const { ready } = startOpening(cache)
    await Promise.race([pause(afterMs), ready])
    await kill()
  }
  const { ready, stored } = startOpening(cache)
  await ready
  expect(stored().length).toBeGreaterThan(0)
}, 120_000)
