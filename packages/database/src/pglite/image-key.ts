import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { knownMigrations } from '../migrate/known-migrations.ts'

/** Increase it when the way of making images changes. */
const FORMAT = 3

/** The folder of this program's image in a cache folder; its name depends on PGlite's version and on the migrations. */
export async function imagePath(cache: string): Promise<string> {
  const manifest = join(
    dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite')),
    '../package.json',
  )
  const { version }: { version: string } = JSON.parse(await readFile(manifest, 'utf8'))
  const ingredients = JSON.stringify([FORMAT, version, await knownMigrations()])
  const key = createHash('sha256').update(ingredients).digest('hex').slice(0, 16)
  return join(cache, `database-${key}`)
}
