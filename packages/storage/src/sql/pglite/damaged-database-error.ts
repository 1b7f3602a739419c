import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { IncompatibleDatabaseError } from '../migrate/migrate.ts'

/** Major version of the PostgreSQL in PGlite; a database starts only under the version that made it. */
const POSTGRES_VERSION = '18'

/** The embedded database did not start. The message is meant for the operator. */
export class DamagedDatabaseError extends Error {
  override readonly name = 'DamagedDatabaseError'

  constructor(folder: string, cause: unknown) {
    super(
      `The embedded database in ${folder} does not start: its files are damaged or incomplete, or the disk is full. Free up space on the disk if it is full; otherwise restore the folder from a backup, or move it away to start with an empty database.`,
      { cause },
    )
  }
}

/** Throws with an error message for the operator when another PostgreSQL than this program's made the files. */
export function requireOwnVersion(folder: string): void {
  const version = readFileSync(join(folder, 'PG_VERSION'), 'latin1').trim()
  if (version === POSTGRES_VERSION) return
  throw new IncompatibleDatabaseError(
    `The embedded database in ${folder} was made by a Troupe with another PostgreSQL (${version.slice(0, 20)}; this program has ${POSTGRES_VERSION}). Start that version of Troupe, or move the folder away to start with an empty database.`,
  )
}
