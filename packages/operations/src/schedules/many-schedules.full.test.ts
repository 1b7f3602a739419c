import { type Database, openDatabase } from '@troupe/storage'
import { testPostgres } from '@troupe/test-kit/postgres'
import { afterAll, describe, expect, test } from 'vitest'
import { migrate, runsInLedgers, schedulerOn, seedDue } from './testing/schedulers.ts'

const DUE = Date.UTC(2030, 0, 1, 9)
const ORGANIZATIONS = 100
const SCHEDULES = 100
const WITHIN_MS = 15_000

const postgres = await testPostgres(migrate)

async function fireThemAll(database: Database): Promise<void> {
  const workflows = []
  for (let index = 0; index < ORGANIZATIONS; index += 1) {
    workflows.push(await seedDue(database, { schedules: SCHEDULES, dueAt: DUE, ceiling: 200 }))
  }
  const dispatched: string[] = []
  const scheduler = schedulerOn(database, () => DUE + 500, dispatched)
  await scheduler.renew()
  const before = performance.now()
  await scheduler.turn()
  const took = performance.now() - before
  process.stdout.write(`10,000 schedules on ${database.kind}: ${Math.round(took)} ms\n`)
  expect(took).toBeLessThan(WITHIN_MS)
  expect(dispatched).toHaveLength(ORGANIZATIONS * SCHEDULES)
  expect(new Set(dispatched).size).toBe(ORGANIZATIONS * SCHEDULES)
  expect((await runsInLedgers(database, workflows)).toSorted()).toEqual(dispatched.toSorted())
}

describe('10,000 schedules due in the same second', () => {
  afterAll(async () => postgres?.[Symbol.asyncDispose]())

  test.skipIf(!postgres)(
    'are dispatched to the engine within 15 seconds, none twice, on PostgreSQL',
    async () => {
      if (!postgres) return
      await using owned = new AsyncDisposableStack()
      const { url } = owned.use(await postgres.createDatabase())
      await fireThemAll(owned.use(await openDatabase({ kind: 'postgres', url, poolSize: 4, replicas: true })))
    },
  )

  test('and on the embedded database', async () => {
    await using database = await openDatabase({ kind: 'pglite', directory: null })
    await fireThemAll(database)
  })
})
