import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { changedReleases, releaseAll } from '../scripts/released-migrations.ts'

const MIGRATIONS = new URL('../migrations/', import.meta.url)

/** A copy of the migrations that a test may break. */
function copyOfMigrations(): { folder: URL; file: (name: string) => string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), 'troupe-migrations-'))
  cpSync(MIGRATIONS, path, { recursive: true })
  return {
    folder: pathToFileURL(`${path}/`),
    file: (name) => join(path, name),
    [Symbol.dispose]: () => rmSync(path, { recursive: true }),
  }
}

it('no released migration has changed, moved or disappeared', async () => {
  const released = JSON.parse(readFileSync(new URL('released.json', MIGRATIONS), 'utf8'))
  expect(await changedReleases(MIGRATIONS, released)).toEqual([])
})

it('a released migration that changed is reported', async () => {
  using copy = copyOfMigrations()
  const released = await releaseAll(copy.folder)
  expect(await changedReleases(copy.folder, released)).toEqual([])
  writeFileSync(copy.file('0000_schema.sql'), '-- another line', { flag: 'a' })
  expect(await changedReleases(copy.folder, released)).toEqual([
    'Released migration 0000_schema was changed: add a new one instead.',
  ])
})

it('a released migration whose file is gone is reported', async () => {
  using copy = copyOfMigrations()
  const released = await releaseAll(copy.folder)
  rmSync(copy.file('0001_functions.sql'))
  expect(await changedReleases(copy.folder, released)).toEqual([
    'The file of released migration 0001_functions is missing.',
  ])
})

it('a released migration missing from the journal is reported, and a new one after it is not', async () => {
  using copy = copyOfMigrations()
  const released = (await releaseAll(copy.folder)).slice(0, 2)
  expect(await changedReleases(copy.folder, released.slice(0, 1))).toEqual([])
  const journal = { entries: [{ idx: 0, tag: '0001_functions' }] }
  writeFileSync(copy.file('meta/_journal.json'), JSON.stringify(journal))
  const changed = await changedReleases(copy.folder, released)
  expect(changed).toHaveLength(released.length)
  expect(changed.slice(0, 2)).toEqual([
    'Released migration 0000_schema is no longer number 0 of the journal.',
    'Released migration 0001_functions is no longer number 1 of the journal.',
  ])
})
