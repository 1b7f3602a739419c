import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startPglite } from '../src/pglite/start-pglite.ts'
import { startOpening } from './opening-process.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'troupe-first-start-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('a first start that is killed while it makes the image leaves nothing that the next one trips over', async () => {
  const cache = join(folder, 'cache')
  for (const afterMs of [300, 1_000, 2_000, 4_000]) {
    await using opening = startOpening(folder, cache)
    await Promise.race([pause(afterMs), opening.ready])
  }
  await using opening = startOpening(folder, cache)
  await opening.ready
  expect(opening.stored()).not.toEqual([])
})

it('without a writable cache the image is made in the data folder and does not stay there', async () => {
  const notADirectory = join(folder, 'file')
  writeFileSync(notADirectory, '')
  const directory = join(folder, 'data')
  mkdirSync(directory)
  await using pglite = await startPglite({ directory, notice: () => {}, cache: join(notADirectory, 'cache') })
  expect((await pglite.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  expect(readdirSync(directory)).toEqual(['pglite'])
})
