import { setTimeout as pause } from 'node:timers/promises'
import { newId, RunId } from '@troupe/contract'
import type { Signal } from '@troupe/durable-work'
import { type TestDatabase, testPostgres } from '@troupe/test-kit/postgres'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { knownMigrations } from '../src/known-migrations.ts'
import { openDatabase } from '../src/open-database.ts'
import { openPool } from '../src/sql/postgres/pool-driver.ts'
import { migrateUrl } from './migrate-url.ts'

const postgres = await testPostgres(migrateUrl)

describe.skipIf(!postgres)('processes on one PostgreSQL database', () => {
  let databases: TestDatabase[] = []
  let url = ''

  beforeEach(async () => {
    if (!postgres) return
    const database = await postgres.createEmptyDatabase()
    databases.push(database)
    url = database.url
  })
  afterEach(async () => {
    for (const database of databases) await database[Symbol.asyncDispose]()
    databases = []
  })
  afterAll(async () => postgres?.[Symbol.asyncDispose]())

  const open = (replicas: boolean) => openDatabase({ kind: 'postgres', url, poolSize: 2, replicas })
  /** Ends every connection to the database but the current one, as a restart of the server would. */
  const breakConnections = async (like: string) => {
    await using other = openPool({ url, size: 1, onError: () => {} })
    await other.execute(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and application_name like $1`,
      [like],
    )
  }

  it('migrate once when several start at the same time', async () => {
    const opened = await Promise.all([1, 2, 3, 4, 5, 6].map(() => open(true)))
    await using client = openPool({ url, size: 1, onError: () => {} })
    expect(await client.execute('select count(*) from troupe_migrations', [])).toEqual([
      [(await knownMigrations()).length],
    ])
    for (const one of opened) await one[Symbol.asyncDispose]()
  })

  it("receive each other's signals", async () => {
    await using first = await open(true)
    await using second = await open(true)
    const heard: Signal[] = []
    second.signals.subscribe((signal) => heard.push(signal))
    const signal: Signal = { kind: 'run_cancelled', runId: newId(RunId) }
    await first.signals.publish(signal)
    await expect.poll(() => heard).toEqual([signal])
  })

  it('exclude each other without replicas, with an error message', async () => {
    await using first = await open(false)
    expect(first.exclusive).toBe(true)
    const [alone, shared] = await Promise.allSettled([open(false), open(true)])
    expect(String(alone.status === 'rejected' && alone.reason)).toContain(
      'Another Troupe process uses this database. More than one replica needs REDIS_URL',
    )
    expect(String(shared.status === 'rejected' && shared.reason)).toContain('uses this database alone')
  })

  it('wait for the connection of a killed predecessor to close', async () => {
    const first = await open(false)
    const second = open(false)
    await pause(300)
    await first[Symbol.asyncDispose]()
    await using database = await second
    expect(database.exclusive).toBe(true)
  })

  it('continue when a connection breaks between two statements of a transaction', async () => {
    await using database = await open(true)
    const lost = database.transaction(async ({ read }) => {
      await read.organizations.all()
      await breakConnections('troupe%')
      await pause(100)
      return read.organizations.all()
    })
    await expect(lost).rejects.toThrow(/terminat|Connection|not queryable/)
    await expect.poll(() => database.read.organizations.all().catch(() => null)).toEqual([])
  })

  it('reconnect, lock and listen again after their connections broke', async () => {
    await using database = await open(false)
    const heard: Signal[] = []
    database.signals.subscribe((signal) => heard.push(signal))
    await breakConnections('troupe%')
    await expect.poll(() => database.exclusive).toBe(false)
    await expect.poll(() => database.exclusive).toBe(true)
    await database.ping()
    const signal: Signal = { kind: 'run_cancelled', runId: newId(RunId) }
    await database.signals.publish(signal)
    await expect.poll(() => heard).toEqual([signal])
    await using other = openPool({ url, size: 1, onError: () => {} })
    const locks = await other.execute(
      "select count(*) from pg_locks where locktype = 'advisory' and mode = 'ExclusiveLock' and granted and database = (select oid from pg_database where datname = current_database())",
      [],
    )
    expect(locks).toEqual([[1]])
  })
})
