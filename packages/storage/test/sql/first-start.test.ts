import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { ensureImage } from '../../src/sql/pglite/database-image.ts'
import { openEmbedded } from '../../src/sql/pglite/open-embedded.ts'
import { startOpening } from './opening-process.ts'
import { CACHE, MIGRATIONS } from './small-schema.ts'

const ROUNDS = 3
const IMAGE = { cache: CACHE, migrations: MIGRATIONS, notice: () => {} }

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'troupe-first-start-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Opens the folder in a process that is killed when `moment` resolves or the first row is stored; returns the stored rows. */
async function openUntil(moment: Promise<void>): Promise<string[]> {
  const opening = startOpening(folder, CACHE)
  await Promise.race([moment, opening.ready])
  await opening[Symbol.asyncDispose]()
  return opening.stored()
}

it('a first start that is killed at any moment leaves a folder that the next start can use', async () => {
  await ensureImage(IMAGE)
  const began = performance.now()
  expect(await openUntil(new Promise(() => {}))).not.toEqual([])
  const whole = performance.now() - began
  for (let round = 0; round < ROUNDS; round += 1) {
    rmSync(folder, { recursive: true, force: true })
    const stored = await openUntil(pause((whole * (round + Math.random())) / ROUNDS))
    await using embedded = await openEmbedded({ ...IMAGE, directory: folder })
    const found = (await embedded.driver.execute('select id from things', [])).flat()
    expect(stored.filter((id) => !found.includes(id))).toEqual([])
    expect(readdirSync(folder).filter((name) => name.includes('draft'))).toEqual([])
  }
}, 180_000)
