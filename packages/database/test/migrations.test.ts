import { readdir, readFile } from 'node:fs/promises'
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api'
import { expect, it } from 'vitest'
import { knownMigrations } from '../src/migrate/known-migrations.ts'

const SCHEMA_FOLDER = new URL('../src/schema/', import.meta.url)

/** Everything that the files of the schema export, by name. */
async function readSchema(): Promise<Record<string, unknown>> {
  const files = (await readdir(SCHEMA_FOLDER)).filter((name) => name.endsWith('.ts'))
  const modules = await Promise.all(files.map((name) => import(new URL(name, SCHEMA_FOLDER).href)))
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
