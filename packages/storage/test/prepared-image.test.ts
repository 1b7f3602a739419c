import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { knownMigrations } from '../src/known-migrations.ts'
import { openDatabase } from '../src/open-database.ts'
import { openDriver } from '../src/testing/open-driver.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'troupe-prepared-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('a new embedded database has every migration from the prepared image', async () => {
  // The setup of every test run has made the image.
  const prepared = new Date()
  const options = { kind: 'pglite', directory: folder } as const
  await (await openDatabase(options))[Symbol.asyncDispose]()
  await using driver = await openDriver(options)
  const applied = await driver.execute('select tag, applied_at from troupe_migrations order by n', [])
  expect(applied.map(([tag]) => tag)).toEqual((await knownMigrations()).map(({ tag }) => tag))
  for (const [, at] of applied) expect(Number(at)).toBeLessThan(prepared.getTime())
})
