import { afterAll, beforeAll, describe } from 'vitest'
import type { Database } from '../src/database.ts'
import { knownMigrations } from '../src/known-migrations.ts'
import { databaseOver } from '../src/open-pglite.ts'
import type { SqlDriver } from '../src/sql/client/sql-client.ts'
import { openEmbedded } from '../src/sql/pglite/open-embedded.ts'
import { observedDriver } from '../src/testing/observed-driver.ts'
import { databaseContract } from './contract/database.ts'
import { letterCaseContract } from './contract/letter-case.ts'

describe('PGlite', () => {
  let database: Database
  let client: SqlDriver

  beforeAll(async () => {
    const migrations = await knownMigrations()
    const embedded = await openEmbedded({ directory: null, migrations, notice: () => {} })
    client = embedded.driver
    database = await databaseOver({ ...embedded, driver: observedDriver(client) }, migrations)
  })
  afterAll(() => database[Symbol.asyncDispose]())

  const subject = () => database
  databaseContract({ subject, client: () => client, isPooled: false, vectorSearch: 'pgvector' })
  letterCaseContract(subject)
})
