import { testPostgres } from '@troupe/test-kit/postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../src/database.ts'
import { knownMigrations } from '../src/known-migrations.ts'
import { openDatabase } from '../src/open-database.ts'
import type { SqlDriver } from '../src/sql/client/sql-client.ts'
import { IncompatibleDatabaseError, migrate } from '../src/sql/migrate/migrate.ts'
import { openPool } from '../src/sql/postgres/pool-driver.ts'
import { letterCaseContract } from './contract/letter-case.ts'
import { migrateUrl } from './migrate-url.ts'

const postgres = await testPostgres(migrateUrl)

describe.skipIf(!postgres)('PostgreSQL with the locale C', () => {
  const owned = new AsyncDisposableStack()
  let database: Database
  let url: URL
  let count = 0

  /** A new, empty database with the locale C. */
  async function created(): Promise<URL> {
    const server = openPool({ url: postgres?.url ?? '', size: 1, onError: () => {} })
    owned.use(server)
    count += 1
    const name = `locale_c_${process.pid}_${Date.now()}_${count}`
    await server.script(`create database ${name} encoding 'UTF8' locale 'C' template template0`)
    owned.defer(() => server.script(`drop database ${name} with (force)`))
    const created = new URL(postgres?.url ?? '')
    created.pathname = `/${name}`
    return created
  }

  /** The result of `lower_case` for letters in a new database that was changed by hand before it was migrated. */
  async function lowered(change: string): Promise<unknown> {
    await using client: SqlDriver = openPool({ url: (await created()).href, size: 1, onError: () => {} })
    await client.script(change)
    await migrate(client, await knownMigrations())
    const [[text] = []] = await client.execute(`select lower_case('ÜБA')`, [])
    return text
  }

  beforeAll(async () => {
    if (!postgres) return
    owned.use(postgres)
    url = await created()
    database = owned.use(
      await openDatabase({ kind: 'postgres', url: url.href, poolSize: 2, replicas: false }),
    )
  })
  afterAll(() => owned.disposeAsync())

  it('lowers only ASCII letters itself', async () => {
    await using client = openPool({ url: url.href, size: 1, onError: () => {} })
    expect(await client.execute(`select lower('ÜA'), lower_case('ÜA')`, [])).toEqual([['Üa', 'üa']])
  })

  it.for([
    ['no ICU', `delete from pg_collation where collprovider = 'i'`],
    [
      'ICU and a locale that the operating system no longer has',
      `update pg_collation set collcollate = 'xx_XX.utf8', collctype = 'xx_XX.utf8' where collname = 'C.utf8';
       delete from pg_collation where collname = 'und-x-icu'`,
    ],
    ['a collation `letters` that lowers every letter', `create collation letters from "C.utf8"`],
    ['a collation `letters` in another schema', `create schema own; create collation own.letters from "C"`],
  ])('lowers every letter with %s', async ([, change = '']) => {
    expect(await lowered(change)).toBe('üбa')
  })

  it('lowers ASCII letters if no collation of the build lowers others', async () => {
    const change = `delete from pg_collation where collprovider = 'i' or collname not in ('default', 'C', 'POSIX')`
    expect(await lowered(change)).toBe('ÜБa')
  })

  it('is not migrated with a collation `letters` that lowers only ASCII letters, in a sentence', async () => {
    const refused = lowered('create collation letters from "C"')
    await expect(refused).rejects.toThrow(IncompatibleDatabaseError)
    await expect(refused).rejects.toThrow(
      'The collation "letters" of the schema "public" was not made by Troupe and lowers only ASCII letters. Give it another name and start again.',
    )
  })

  letterCaseContract(() => database)
})
