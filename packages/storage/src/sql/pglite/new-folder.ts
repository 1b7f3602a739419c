import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { IncompatibleDatabaseError } from '../migrate/migrate.ts'
import { copyImage } from './image-files.ts'

/** Prefix of the folders of an unfinished first start inside a data folder; the next start removes them. */
export const DRAFT = 'pglite.draft-'

/** The folder of the database itself inside a data folder. */
export function databaseFolder(directory: string): string {
  return join(directory, 'pglite')
}

/**
 * Whether a data folder has no database yet. Also removes the drafts of a killed process. The caller holds the
 * folder's lock. Throws when there are other files: they may be the remains of a database.
 */
export function isNewFolder(directory: string): boolean {
  for (const name of readdirSync(directory)) {
    if (name.startsWith(DRAFT)) rmSync(join(directory, name), { recursive: true, force: true })
  }
  const folder = databaseFolder(directory)
  if (!existsSync(folder) || readdirSync(folder).length === 0) return true
  if (existsSync(join(folder, 'PG_VERSION'))) return false
  throw new IncompatibleDatabaseError(
    `The folder ${folder} has files in it, but no complete database. Restore it from a backup, or move it away to start with an empty one.`,
  )
}

/**
 * Copies an image into a data folder that has no database. The database appears complete or not at all: it is
 * copied next to its final path and renamed. When it throws DamagedImageError, nothing was changed.
 */
export function fillNewFolder(directory: string, image: string): void {
  const draft = join(directory, `${DRAFT}${randomUUID()}`)
  mkdirSync(draft, { mode: 0o700 })
  try {
    copyImage(image, {
      directory: (path) => mkdirSync(join(draft, path), { mode: 0o700 }),
      file: (path, bytes) => writeFileSync(join(draft, path), bytes, { mode: 0o600 }),
    })
    const folder = databaseFolder(directory)
    // An empty folder may exist already; not every system renames over it.
    if (existsSync(folder)) rmdirSync(folder)
    renameSync(draft, folder)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}
