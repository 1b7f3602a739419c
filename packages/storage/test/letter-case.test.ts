import { testPostgres } from '@troupe/test-kit/postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../src/database.ts'
import { openDatabase } from '../src/open-database.ts'
import { openPool } from '../src/sql/postgres/pool-driver.ts'
import { letterCaseContract } from './contract/letter-case.ts'
import { migrateUrl } from './migrate-url.ts'

const postgres = await testPostgres(migrateUrl)

describe.skipIf(!postgres)('PostgreSQL with the locale C', () => {
  const owned = new AsyncDisposableStack()
  let database: Database
  let url: URL

  beforeAll(async () => {
    if (!postgres) return
    owned.use(postgres)
    const server = owned.use(openPool({ url: postgres.url, size: 1, onError: () => {} }))
    const name = `locale_c_${process.pid}_${Date.now()}`
    await server.script(`create database ${name} encoding 'UTF8' locale 'C' template template0`)
    owned.defer(() => server.script(`drop database ${name} with (force)`))
    url = new URL(postgres.url)
    url.pathname = `/${name}`
    database = owned.use(
      await openDatabase({ kind: 'postgres', url: url.href, poolSize: 2, replicas: false }),
    )
  })
  afterAll(() => owned.disposeAsync())

  it('lowers only ASCII letters itself', async () => {
    await using client = openPool({ url: url.href, size: 1, onError: () => {} })
    expect(await client.execute(`select lower('ÜA'), lower_case('ÜA')`, [])).toEqual([['Üa', 'üa']])
  })

  letterCaseContract(() => database)
})
