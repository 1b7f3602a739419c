import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ensureImage, withImage } from '../../src/sql/pglite/database-image.ts'
import { copyImage } from '../../src/sql/pglite/image-files.ts'
import { startPglite } from '../../src/sql/pglite/start-pglite.ts'
import { startOpening } from './opening-process.ts'
import { CACHE, MIGRATIONS } from './small-schema.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'troupe-first-start-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('a first start that is killed while it makes the image leaves nothing that disturbs the next one', async () => {
  const cache = join(folder, 'cache')
  for (const afterMs of [300, 1_000, 2_000, 4_000]) {
    await using opening = startOpening(folder, cache)
    await Promise.race([pause(afterMs), opening.ready])
  }
  await using opening = startOpening(folder, cache)
  await opening.ready
  expect(opening.stored()).not.toEqual([])
})

it('without a writable cache the image is made in the data folder and removed afterwards', async () => {
  const notADirectory = join(folder, 'file')
  writeFileSync(notADirectory, '')
  const directory = join(folder, 'data')
  mkdirSync(directory)
  await using pglite = await startPglite({
    directory,
    migrations: MIGRATIONS,
    notice: () => {},
    cache: join(notADirectory, 'cache'),
  })
  expect((await pglite.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  expect(readdirSync(directory)).toEqual(['pglite'])
})

it('two processes that find the image damaged concurrently both get a new one, and nothing else is left in the cache', async () => {
  const made = await ensureImage({ cache: CACHE, migrations: MIGRATIONS, notice: () => {} })
  const cache = join(folder, 'cache')
  const image = join(cache, basename(made))
  cpSync(made, image, { recursive: true })
  truncateSync(join(image, 'manifest.json'), 10)
  mkdirSync(join(cache, 'database-of-another-version'))
  mkdirSync(join(cache, 'draft-999999999-of-a-killed-process'))
  const notice = vi.fn()
  const options = { cache, migrations: MIGRATIONS, notice }
  const use = () => withImage(options, (whole) => copyImage(whole, { directory() {}, file() {} }))
  await Promise.all([use(), use()])
  expect(notice).toHaveBeenCalledWith(expect.stringContaining('Preparing the embedded database'))
  expect(readdirSync(cache)).toEqual([basename(image)])
}, 180_000)
