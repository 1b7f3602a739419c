import { openDatabase } from '@troupe/storage'
import { testPostgres } from '@troupe/test-kit/postgres'
import { afterAll, describe, expect, test } from 'vitest'
import { migrate, runsInLedgers, schedulerOn, seedDue } from './testing/schedulers.ts'

const MINUTE = 60_000
const DUE = Date.UTC(2030, 0, 1, 9)

const postgres = await testPostgres(migrate)

// langgenius/dify#30437
describe.skipIf(!postgres)('three schedulers on one database', () => {
  afterAll(async () => postgres?.[Symbol.asyncDispose]())

  test('fire each schedule once, minute by minute, while one of them stops and workflows are republished', async () => {
    if (!postgres) return
    await using owned = new AsyncDisposableStack()
    const { url } = owned.use(await postgres.createDatabase())
    const open = async () =>
      owned.use(await openDatabase({ kind: 'postgres', url, poolSize: 4, replicas: true }))
    const databases = [await open(), await open(), await open()]
    const [first] = databases
    if (!first) return
    const workflows = await Promise.all(
      Array.from({ length: 10 }, () => seedDue(first, { schedules: 30, dueAt: DUE, ceiling: 1_000 })),
    )
    const dispatched: string[] = []
    let now = DUE + 500
    const schedulers = databases.map((database) => schedulerOn(database, () => now, dispatched))
    for (let minute = 0; minute < 3; minute += 1) {
      now = DUE + minute * MINUTE + 500
      // The clocks of the other processes differ slightly, and one process stops in the middle.
      await Promise.all(schedulers.flatMap((scheduler) => [scheduler.turn(), scheduler.turn()]))
      if (minute === 1) await schedulers.pop()?.[Symbol.asyncDispose]()
    }
    expect(dispatched).toHaveLength(3 * 300)
    expect(new Set(dispatched).size).toBe(3 * 300)
    expect((await runsInLedgers(first, workflows)).toSorted()).toEqual(dispatched.toSorted())
  })

  test('and a concurrent publish lose no fire: each is started or reported as missed', async () => {
    if (!postgres) return
    await using owned = new AsyncDisposableStack()
    const { url } = owned.use(await postgres.createDatabase())
    const database = owned.use(await openDatabase({ kind: 'postgres', url, poolSize: 8, replicas: true }))
    const workflows = await Promise.all(
      Array.from({ length: 20 }, () => seedDue(database, { schedules: 10, dueAt: DUE, ceiling: 1_000 })),
    )
    const dispatched: string[] = []
    const scheduler = schedulerOn(database, () => DUE + 500, dispatched)
    const unpublish = workflows.map(({ organizationId, workflowId }) =>
      database.transaction(async ({ write }) => {
        await write.organizations.lock(organizationId)
        await write.workflows.lock(organizationId, workflowId)
        await write.schedules.remove({ organizationId, workflowId }, DUE + 500)
        await write.workflows.unpublish(organizationId, workflowId)
      }),
    )
    await Promise.all([scheduler.turn(), ...unpublish])
    const outcomes: string[] = []
    for (const { organizationId, workflowId } of workflows) {
      const fires = await database.read.schedules.fires(organizationId, workflowId, 100)
      outcomes.push(...fires.map(({ outcome }) => outcome))
    }
    expect(outcomes).toHaveLength(200)
    expect(outcomes.filter((outcome) => outcome === 'fired')).toHaveLength(dispatched.length)
    expect(new Set(outcomes).isSubsetOf(new Set(['fired', 'missed']))).toBe(true)
  })
})
