import { globSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api'
import { expect, it } from 'vitest'
import { knownMigrations } from '../src/known-migrations.ts'

// drizzle-kit adds an enumerable function to all arrays, which pdf.js refuses in a later file of this worker.
Reflect.deleteProperty(Array.prototype, 'random')

const TABLES = new URL('../src/tables/', import.meta.url)
const SNAPSHOTS = new URL('../migrations/meta/', import.meta.url)
const FUNCTIONS = new URL('../functions/', import.meta.url)

/** Everything that the files in the folder of tables export, by name. */
async function readSchema(): Promise<Record<string, unknown>> {
  const files = globSync('**/*.ts', { cwd: TABLES })
  const modules = await Promise.all(files.map((name) => import(new URL(name, TABLES).href)))
  return Object.assign({}, ...modules)
}

/** The statements of all migrations that create functions; the last one of each name is in force. */
async function functionsInForce(): Promise<Record<string, string>> {
  const statements = (await knownMigrations()).flatMap(({ sql }) => sql.split('--> statement-breakpoint'))
  const functions: Record<string, string> = {}
  for (const statement of statements) {
    const name = /^CREATE (?:OR REPLACE )?FUNCTION (\w+)/im.exec(statement)?.[1]
    if (name) functions[name] = statement.trim()
    const dropped = /^DROP FUNCTION (\w+)/im.exec(statement)?.[1]
    if (dropped) delete functions[dropped]
  }
  return functions
}

it('the migrations match the schema: none is missing', async () => {
  // A migration that only has functions has no snapshot: the newest snapshot is that of the tables.
  const newest = (await readdir(SNAPSHOTS))
    .filter((name) => name.endsWith('_snapshot.json'))
    .toSorted()
    .at(-1)
  const migrated: Parameters<typeof generateMigration>[0] = JSON.parse(
    await readFile(new URL(newest ?? '', SNAPSHOTS), 'utf8'),
  )
  const current = generateDrizzleJson(await readSchema(), migrated.id)
  expect(
    await generateMigration(migrated, current),
    'run `npm run -w @troupe/storage migrations:generate`',
  ).toEqual([])
})

it('the SQL functions after all migrations equal those in the folder functions', async () => {
  const files = await readdir(FUNCTIONS)
  const written = files.map(async (file) => {
    const text = await readFile(new URL(file, FUNCTIONS), 'utf8')
    return [file.replace(/\.sql$/, ''), text.trim()] as const
  })
  expect(
    await functionsInForce(),
    'run `npm run -w @troupe/storage migrations:generate -- --custom --name NAME` and put the function in it',
  ).toEqual(Object.fromEntries(await Promise.all(written)))
})
