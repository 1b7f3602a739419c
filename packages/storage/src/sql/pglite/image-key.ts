import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Migration } from '../migrate/migrate.ts'
import { SETTINGS } from './settings.ts'

/** Increment when the procedure of making images changes. */
const FORMAT = 6

/**
 * The folder of an image in a cache folder. Its name depends on PGlite's version, the settings and the content of the
 * migrations.
 */
export async function imagePath(cache: string, migrations: readonly Migration[]): Promise<string> {
  const manifest = join(
    dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite')),
    '../package.json',
  )
  const { version }: { version: string } = JSON.parse(await readFile(manifest, 'utf8'))
  const ingredients = JSON.stringify([FORMAT, version, SETTINGS, migrations])
  const key = createHash('sha256').update(ingredients).digest('hex').slice(0, 16)
  return join(cache, `database-${key}`)
}
