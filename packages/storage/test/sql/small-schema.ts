import { join } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import type { Migration } from '../../src/sql/migrate/migrate.ts'
import { IMAGE_CACHE } from '../../src/sql/pglite/database-image.ts'
import { startPglite } from '../../src/sql/pglite/start-pglite.ts'

/** The schema of this package's tests: a single table. */
export const MIGRATIONS: readonly Migration[] = [
  { tag: '0000_things', sql: 'create table things (id text primary key)' },
]

/** Separate from the program's images, because making an image removes the other images in its folder. */
export const CACHE = join(IMAGE_CACHE, 'tests')

/** Starts an embedded database with the small schema, in memory unless a data folder is given. */
export function startSmall(directory: string | null = null): Promise<PGlite> {
  return startPglite({ directory, migrations: MIGRATIONS, cache: CACHE, notice: () => {} })
}
