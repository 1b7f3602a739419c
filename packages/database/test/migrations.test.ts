import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api'
import { expect, it } from 'vitest'
import { knownMigrations } from '../src/migrate/known-migrations.ts'

const SOURCES = new URL('../src/', import.meta.url)

/** Everything that the tables' files export, by name. */
async function readSchema(): Promise<Record<string, unknown>> {
  const files = globSync('**/table.ts', { cwd: SOURCES })
  const modules = await Promise.all(files.map((name) => import(new URL(name, SOURCES).href)))
  return Object.assign({}, ...modules)
}

it('the migrations say what the schema says: none is missing', async () => {
  const last = (await knownMigrations()).length - 1
  const snapshot = new URL(
    `../migrations/meta/${String(last).padStart(4, '0')}_snapshot.json`,
    import.meta.url,
  )
  const migrated = JSON.parse(await readFile(snapshot, 'utf8')) as Parameters<typeof generateMigration>[0]
  const current = generateDrizzleJson(await readSchema(), migrated.id)
  expect(
    await generateMigration(migrated, current),
    'run `npm run -w @troupe/database migrations:generate`',
  ).toEqual([])
})
