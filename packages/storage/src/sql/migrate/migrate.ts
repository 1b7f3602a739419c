import { MIGRATION_LOCK } from '../client/advisory-locks.ts'
import { type SqlClient, type SqlDriver, SqlError } from '../client/sql-client.ts'

/** A schema migration. */
export interface Migration {
  /** Its unique name, such as `0000_initial`. */
  tag: string
  sql: string
}

/** The error code of `RAISE EXCEPTION`. */
const RAISED = 'P0001'

/** The database was made by another version of the program, or changed by hand. The message is meant for the operator. */
export class IncompatibleDatabaseError extends Error {
  override readonly name = 'IncompatibleDatabaseError'
}

/**
 * Migrates the database to the schema of this program, whose migrations are `known`, in order: all missing ones in one
 * transaction, or none.
 * Processes that start concurrently take turns: the lock is held until commit, and the second finds nothing
 * to do.
 *
 * @throws IncompatibleDatabaseError, also when a migration refuses the database (`RAISE EXCEPTION`), with that
 * migration's message
 */
export async function migrate(driver: SqlDriver, known: readonly Migration[]): Promise<void> {
  await driver.transaction(async (client) => {
    // Roles and databases may set their own default.
    await client.execute('set local statement_timeout = 0', [])
    // A separate statement: the next one must see the commit of the previous holder.
    await client.execute('select pg_advisory_xact_lock($1::bigint)', [MIGRATION_LOCK])
    await client.execute(
      `create table if not exists troupe_migrations (
         n integer primary key, tag text not null, applied_at timestamptz(3) not null default now())`,
      [],
    )
    const applied = await client.execute('select tag from troupe_migrations order by n', [])
    const missing = missingAfter(
      known,
      applied.map(([tag]) => String(tag)),
    )
    for (const migration of missing) await apply(client, migration, known.indexOf(migration))
  })
}

function missingAfter(known: readonly Migration[], applied: readonly string[]): readonly Migration[] {
  const last = known.at(-1)?.tag
  // Releases never change their first migration, so a different one means a development version.
  if (applied[0] !== undefined && known[0] !== undefined && applied[0] !== known[0].tag) {
    throw new IncompatibleDatabaseError(
      'This database was made by an unreleased development version of Troupe and cannot be upgraded: move the data folder away (or set TROUPE_DATA_DIR to a new one), or name an empty database in DATABASE_URL, and start again.',
    )
  }
  for (const [n, tag] of applied.entries()) {
    if (known[n]?.tag === tag) continue
    throw new IncompatibleDatabaseError(
      n >= known.length
        ? `This database was upgraded by a newer Troupe (to ${applied.at(-1)}; this program knows ${last}). Start that version or a later one, or restore a backup from before the upgrade.`
        : `The migrations of this database differ from those of this program (${tag} instead of ${known[n]?.tag}). Start the version that it belongs to, or restore a backup.`,
    )
  }
  return known.slice(applied.length)
}

async function apply(client: SqlClient, migration: Migration, n: number): Promise<void> {
  for (const statement of migration.sql.split('--> statement-breakpoint')) {
    if (statement.trim()) await client.execute(statement, []).catch(refusal)
  }
  await client.execute('insert into troupe_migrations (n, tag) values ($1::int, $2)', [n, migration.tag])
}

function refusal(error: unknown): never {
  if (!(error instanceof SqlError) || error.code !== RAISED) throw error
  throw new IncompatibleDatabaseError(error.message, { cause: error })
}
