import type { Database, DatabaseOptions } from './database.ts'
import { openPglite } from './open-pglite.ts'
import { openPostgres } from './open-postgres.ts'

/**
 * Opens the database, migrates it under a lock and takes the lock that controls access to it. Throws an error
 * with a one-sentence message for the operator when another process excludes this one or a newer program
 * wrote the schema.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  return options.kind === 'pglite' ? openPglite(options) : openPostgres(options)
}
