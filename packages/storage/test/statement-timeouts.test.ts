import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { testPostgres } from '@troupe/test-kit/postgres'
import { afterAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../src/open-database.ts'
import { databaseTrouble } from '../src/sql/client/database-trouble.ts'
import { openPool } from '../src/sql/postgres/pool-driver.ts'
import { migrateUrl } from './migrate-url.ts'

const postgres = await testPostgres(migrateUrl)
const LIMIT_MS = 300

/** Holds locks from a separate connection until disposed. */
async function lock(url: string, statement: string): Promise<AsyncDisposable> {
  const other = openPool({ url, size: 1, onError: () => {} })
  const [locked, free] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const ended = other.transaction(async (client) => {
    await client.execute(statement, [])
    locked.resolve()
    await free.promise
  })
  await locked.promise
  return {
    async [Symbol.asyncDispose]() {
      free.resolve()
      await ended
      await other[Symbol.asyncDispose]()
    },
  }
}

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: unknown) => error,
  )

describe.skipIf(!postgres)('a statement on PostgreSQL that waits for a lock', () => {
  afterAll(async () => postgres?.[Symbol.asyncDispose]())

  const database = (url: string) =>
    openDatabase({ kind: 'postgres', url, poolSize: 2, replicas: true, statementMs: LIMIT_MS })

  test('ends at the limit of requests, and the connection is used again', async () => {
    await using fresh = await postgres?.createDatabase()
    const url = fresh?.url ?? ''
    await using opened = await database(url)
    {
      await using _ = await lock(url, 'lock table organizations in access exclusive mode')
      const since = performance.now()
      const errors = await Promise.all([
        failure(opened.read.organizations.all()),
        failure(opened.transaction(({ read }) => read.organizations.all())),
      ])
      expect(errors).toMatchObject([{ code: '57014' }, { code: '57014' }])
      expect(errors.map(databaseTrouble)).toEqual(['away', 'away'])
      expect(performance.now() - since).toBeGreaterThan(LIMIT_MS - 50)
    }
    expect(await opened.read.organizations.all()).toEqual([])
  })

  test('continues past the limit for a periodic duty', async () => {
    await using fresh = await postgres?.createDatabase()
    const url = fresh?.url ?? ''
    await using opened = await database(url)
    const held = await lock(url, 'lock table workflow_runs in access exclusive mode')
    const duty = opened.duties.workflowRuns.endOrphans()
    // The same statement fails as a request in the meantime, so the duty has waited longer than the limit.
    expect(await failure(opened.workflowRuns.endOrphans())).toMatchObject({ code: '57014' })
    await held[Symbol.asyncDispose]()
    await duty
  })

  test('continues past the limit for a migration', async () => {
    await using fresh = await postgres?.createDatabase()
    const url = fresh?.url ?? ''
    const held = await lock(url, 'lock table troupe_migrations in access exclusive mode')
    const opening = database(url)
    await using other = openPool({ url, size: 1, onError: () => {}, statementMs: LIMIT_MS })
    const waiting = `select count(*)::int from pg_locks where locktype = 'relation' and not granted
                       and database = (select oid from pg_database where datname = current_database())`
    await expect.poll(() => other.execute(waiting, [])).toEqual([[1]])
    expect(await failure(other.execute('select pg_sleep(10)', []))).toMatchObject({ code: '57014' })
    expect(await other.execute(waiting, [])).toEqual([[1]])
    await held[Symbol.asyncDispose]()
    await using opened = await opening
    expect(await opened.read.organizations.all()).toEqual([])
  })

  // The client waits five seconds beyond the server's limit before it treats the server as unreachable.
  test('fails also when the server stops answering', { timeout: 30_000 }, async () => {
    await using fresh = await postgres?.createDatabase()
    const target = new URL(fresh?.url ?? '')
    const { hostname, port } = target
    const sockets: Socket[] = []
    let isSilent = false
    const proxy = createServer((client) => {
      const server = connect(Number(port), hostname)
      sockets.push(client, server)
      for (const [from, to] of [
        [client, server],
        [server, client],
      ] as const) {
        from.on('data', (bytes) => void (isSilent || to.write(bytes)))
        from.on('error', () => {})
        from.on('close', () => to.destroy())
      }
    }).listen(0, '127.0.0.1')
    await once(proxy, 'listening')
    target.port = String((proxy.address() as AddressInfo).port)
    target.hostname = '127.0.0.1'
    const driver = openPool({ url: target.href, size: 1, onError: () => {}, statementMs: LIMIT_MS })
    await driver.execute('select 1', [])
    isSilent = true
    expect(databaseTrouble(await failure(driver.execute('select 1', [])))).toBe('away')
    for (const socket of sockets) socket.destroy()
    await driver[Symbol.asyncDispose]()
    proxy.close()
    await once(proxy, 'close')
  })
})
