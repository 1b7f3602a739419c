import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { changedReleases, contractingMigrations, releaseAll } from '../scripts/released-migrations.ts'

const MIGRATIONS = new URL('../migrations/', import.meta.url)

/** A copy of the migrations that a test may modify. */
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

it('no migration since the last release breaks the program of that release', async () => {
  const released = JSON.parse(readFileSync(new URL('released.json', MIGRATIONS), 'utf8'))
  expect(await contractingMigrations(MIGRATIONS, released)).toEqual([])
})

it('a migration that takes something away from the release before is reported, unless it names a release', async () => {
  using copy = copyOfMigrations()
  const all = await releaseAll(copy.folder)
  // Pretends that there was a release before 0009, 0020 and 0023, which replace a function, move columns to another
  // table, and fill two computed columns.
  const released = all.slice(0, 9)
  const found = await contractingMigrations(copy.folder, released)
  expect(found.map((line) => line.slice(0, 70))).toEqual([
    expect.stringMatching(/^Migration 0009_accept_test_runs takes away: DROP FUNCTION/),
    ...Array(4).fill(expect.stringMatching(/^Migration 0020_draft_keeps takes away: ALTER TABLE/)),
    ...Array(2).fill(expect.stringMatching(/^Migration 0023_composed_graph_hashes no longer computes: /)),
    expect.stringMatching(/^Migration 0023_composed_graph_hashes takes away: DROP FUNCTION/),
  ])
  for (const tag of ['0009_accept_test_runs', '0020_draft_keeps', '0023_composed_graph_hashes']) {
    const sql = readFileSync(copy.file(`${tag}.sql`), 'utf8')
    writeFileSync(copy.file(`${tag}.sql`), `-- contracts what 1.0.0 no longer uses\n${sql}`)
  }
  expect(await contractingMigrations(copy.folder, released)).toEqual([])
})

it.for([
  ['ALTER TABLE "runs" ADD COLUMN "a" text NOT NULL;', 'requires a new column'],
  ['ALTER TABLE "runs" ALTER COLUMN "a" SET NOT NULL;', 'requires a value'],
  ['ALTER TABLE "runs" RENAME COLUMN "a" TO "b";', 'renames'],
  ['ALTER TABLE "runs" ALTER COLUMN "a" SET DATA TYPE bigint;', 'changes a type'],
  ['ALTER TABLE "runs" ADD COLUMN "a" text DEFAULT \'\' NOT NULL;', null],
  ['ALTER TABLE "runs" ADD COLUMN "a" text;', null],
  ['-- DROP TABLE runs\nALTER TABLE "runs" ALTER COLUMN "a" DROP NOT NULL;', null],
] as const)('of a new migration, %s', async ([sql, what]) => {
  using copy = copyOfMigrations()
  const released = await releaseAll(copy.folder)
  const journal = JSON.parse(readFileSync(copy.file('meta/_journal.json'), 'utf8'))
  journal.entries.push({ idx: released.length, tag: 'next' })
  writeFileSync(copy.file('meta/_journal.json'), JSON.stringify(journal))
  writeFileSync(copy.file('next.sql'), sql)
  expect(await contractingMigrations(copy.folder, released)).toEqual(
    what === null ? [] : [`Migration next ${what}: ${sql}`],
  )
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
