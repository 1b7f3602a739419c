import { type Database, openDatabase } from '@troupe/storage'
import { testPostgres } from '@troupe/test-kit/postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Cancelling, WAITING_TYPES } from './cancelling.ts'

const RACES = 120

async function migrate(url: string): Promise<void> {
  await using _ = await openDatabase({ kind: 'postgres', url, poolSize: 2, replicas: true })
}

const postgres = await testPostgres(migrate)
const KINDS = postgres ? (['pglite', 'postgres'] as const) : (['pglite'] as const)

describe.each(KINDS)('on %s, a cancel of a workflow run', (kind) => {
  const resources = new AsyncDisposableStack()
  let cancelling: Cancelling
  beforeAll(async () => {
    cancelling = resources.use(await Cancelling.start(await opener()))
  })
  afterAll(() => resources.disposeAsync())

  /** On PGlite the two servers share a connection, on PostgreSQL nothing but the database. */
  async function opener(): Promise<() => Promise<Database>> {
    if (kind === 'postgres' && postgres) {
      const { url } = resources.use(await postgres.createDatabase())
      return async () =>
        resources.use(await openDatabase({ kind: 'postgres', url, poolSize: 5, replicas: true }))
    }
    const database = resources.use(await openDatabase({ kind: 'pglite', directory: null }))
    return async () => database
  }

  test.each(WAITING_TYPES)('closes the sockets of %s without a poll, on any process', async (type) => {
    for (const server of cancelling.servers) await cancelling.closeSockets(type, server)
  })

  test(`concurrent with its end, ${RACES} times: all parties report the same final verdict`, async () => {
    const { won, contradictions } = await cancelling.race(RACES)
    expect(contradictions).toEqual([])
    expect(won.cancelled + won.completed).toBe(RACES)
    expect(Math.min(won.cancelled, won.completed), 'both orders occur').toBeGreaterThan(5)
  }, 60_000)
})

afterAll(() => postgres?.[Symbol.asyncDispose]())
