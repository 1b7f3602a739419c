import { type Database, openDatabase } from '@troupe/storage'
import { openReusedDatabase } from '@troupe/storage/reused-database'
import { testPostgres } from '../postgres/shared-postgres.ts'

async function migrate(url: string): Promise<void> {
  const database = await openDatabase({ kind: 'postgres', url, poolSize: 2, replicas: true })
  await database[Symbol.asyncDispose]()
}

/** A migrated database for one test file, and the resources to release after it. */
export interface OpenTestDatabase extends AsyncDisposable {
  database: Database
}

/**
 * PGlite in memory, emptied after an earlier use in this process; with `TROUPE_TEST_DATABASE=postgres` a dedicated PostgreSQL database.
 *
 * @throws Error when PostgreSQL is requested but not installed
 */
export async function openTestDatabase(): Promise<OpenTestDatabase> {
  await using resources = new AsyncDisposableStack()
  const database = resources.use(await open(resources))
  const owned = resources.move()
  return { database, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

async function open(resources: AsyncDisposableStack): Promise<Database> {
  if (process.env.TROUPE_TEST_DATABASE !== 'postgres') {
    return openReusedDatabase()
  }
  const postgres = await testPostgres(migrate)
  if (!postgres) throw new Error('TROUPE_TEST_DATABASE=postgres needs a PostgreSQL server on this machine.')
  resources.use(postgres)
  const { url } = resources.use(await postgres.createDatabase())
  return openDatabase({ kind: 'postgres', url, poolSize: 10, replicas: true })
}
