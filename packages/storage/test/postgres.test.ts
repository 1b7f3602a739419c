import { testPostgres } from '@troupe/test-kit/postgres'
import { afterAll, beforeAll, describe } from 'vitest'
import type { Database } from '../src/database.ts'
import { openDatabase } from '../src/open-database.ts'
import type { SqlDriver } from '../src/sql/client/sql-client.ts'
import { openPool } from '../src/sql/postgres/pool-driver.ts'
import { referenceLocksContract } from './contract/config-references.ts'
import { databaseContract } from './contract/database.ts'
import { migrateUrl } from './migrate-url.ts'

const postgres = await testPostgres(migrateUrl)
const vectorSearch = postgres && (await hasPgvector(postgres.url)) ? 'pgvector' : 'exact'

async function hasPgvector(url: string): Promise<boolean> {
  await using driver = openPool({ url, size: 1, onError: () => {} })
  const [row] = await driver.execute("select from pg_available_extensions where name = 'vector'", [])
  // `npm run test:pgvector` must not pass by comparing arrays.
  if (row === undefined && process.env.TROUPE_TEST_PGVECTOR === 'required')
    throw new Error('There is no pgvector.')
  return row !== undefined
}

describe.skipIf(!postgres)('PostgreSQL', () => {
  const owned = new AsyncDisposableStack()
  let database: Database
  let client: SqlDriver

  beforeAll(async () => {
    if (!postgres) return
    owned.use(postgres)
    const { url } = owned.use(await postgres.createDatabase())
    client = owned.use(openPool({ url, size: 2, onError: () => {} }))
    database = owned.use(await openDatabase({ kind: 'postgres', url, poolSize: 16, replicas: false }))
  })
  afterAll(() => owned.disposeAsync())

  const subject = () => database
  databaseContract({ subject, client: () => client, isPooled: true, vectorSearch })
  referenceLocksContract(subject, () => client)
})
