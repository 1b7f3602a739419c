import { checkedId, newId, WorkflowRunId } from '@troupe/contract'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../src/database.ts'
import type {
  FireBatch,
  FirePlan,
  HeldSchedule,
  NewSchedule,
  Overlap,
  PlannedFire,
} from '../../src/schedules/port.ts'
import type { SqlClient } from '../../src/sql/client/sql-client.ts'
import { rowsWhere } from './inspect.ts'
import type { Subject } from './tenant.ts'
import {
  claimed,
  commit,
  DONE,
  type Publisher,
  publishedBy,
  publisher,
  setCeiling,
} from './workflow-builders.ts'

const HOUR = 3_600_000
const DELETE_SCHEDULES = { name: 'delete_all_schedules', text: 'delete from schedules' }
/** A separate year for each test. */
let year = 2_100

export function schedulesContract(subject: Subject, client: () => SqlClient): void {
  describe('schedules', () => contract(subject, client))
}

function contract(subject: Subject, client: () => SqlClient): void {
  const owner = ({ tenant: { organizationId }, workflow: { id: workflowId } }: Publisher) => ({
    organizationId,
    workflowId,
  })
  const schedule = (nextFireAt: number | null, changes: Partial<NewSchedule> = {}): NewSchedule => ({
    nodeId: 'r',
    config: { mode: 'cron', cron: '@hourly' },
    overlap: 'allow',
    catchUp: 'latest',
    nextFireAt,
    ...changes,
  })
  const publish = (
    from: Publisher,
    schedules: readonly NewSchedule[],
    { publishedAt = 0, isNewVersion = true } = {},
  ) =>
    subject().transaction(({ write }) =>
      write.schedules.replace(owner(from), schedules, { publishedAt, isNewVersion }),
    )
  const stored = ({ tenant, workflow }: Publisher) =>
    subject().read.schedules.ofWorkflow(tenant.organizationId, workflow.id)
  const ledger = async ({ tenant, workflow }: Publisher) =>
    (await subject().read.schedules.fires(tenant.organizationId, workflow.id, 500)).toReversed()
  const newRunId = () => newId(WorkflowRunId)

  /** Starts the due fires, with the next one in an hour. */
  const startDue = (held: HeldSchedule, now: number): FirePlan => ({
    fires: [{ scheduledFor: held.nextFireAt ?? 0, outcome: 'fired', reason: null, runId: newRunId() }],
    cancels: [],
    nextFireAt: now + HOUR,
    waitingSince: null,
  })
  const fire = (
    now: number,
    plan: (held: HeldSchedule) => FirePlan = (held) => startDue(held, now),
    changes: Partial<FireBatch> = {},
    db: Database = subject(),
  ) => db.schedules.fire({ which: 'due', now, limit: 100, maxStarts: 100, except: [], ...changes }, plan)
  const nextYear = () => Date.UTC(year++, 0, 1)

  // A batch processes every due schedule.
  beforeEach(async () => {
    await client().query(DELETE_SCHEDULES, [])
  })

  describe('the schedules of a workflow', () => {
    it('are those of the last publish, and are deleted with it', async () => {
      const now = nextYear()
      const from = await publisher(subject())
      await publish(from, [schedule(now + 1), schedule(null, { nodeId: 's', overlap: 'skip' })], {
        publishedAt: now,
      })
      expect(await stored(from)).toEqual([
        { ...owner(from), ...schedule(now + 1), waitingSince: null, publishedAt: now },
        {
          ...owner(from),
          ...schedule(null, { nodeId: 's', overlap: 'skip' }),
          waitingSince: null,
          publishedAt: now,
        },
      ])
      const changed = schedule(now + 9, { nodeId: 's', catchUp: 'all', config: { b: 1, a: 2 } })
      await publish(from, [changed], { publishedAt: now + 5 })
      expect(await stored(from)).toEqual([
        { ...owner(from), ...changed, waitingSince: null, publishedAt: now + 5 },
      ])
      await subject().transaction(({ write }) => write.schedules.remove(owner(from), now + 6))
      expect(await stored(from)).toEqual([])
    })

    it('are unchanged when the same version is published again, and missing ones are added', async () => {
      const now = nextYear()
      const from = await publisher(subject())
      await publish(from, [schedule(now + 1)], { publishedAt: now })
      const again = { publishedAt: now + 50, isNewVersion: false }
      await publish(from, [schedule(now + 60), schedule(now + 70, { nodeId: 's' })], again)
      expect((await stored(from)).map(({ nextFireAt, publishedAt }) => [nextFireAt, publishedAt])).toEqual([
        [now + 1, now],
        [now + 70, now + 50],
      ])
    })

    it('record a fire that a publish or its end has overtaken', async () => {
      const now = nextYear()
      const from = await publisher(subject())
      await publish(from, [schedule(now), schedule(now + HOUR, { nodeId: 's' })])
      await publish(from, [schedule(now + HOUR)], { publishedAt: now + 1 })
      await subject().transaction(({ write }) => write.schedules.remove(owner(from), now + HOUR))
      expect(await ledger(from)).toMatchObject([
        {
          scheduledFor: now,
          outcome: 'missed',
          reason: expect.stringContaining('published again'),
          executionId: null,
        },
        { scheduledFor: now + HOUR, outcome: 'missed', reason: expect.stringContaining('unpublished') },
      ])
    })
  })

  describe('a fire', () => {
    it('is a row of the ledger, a run and the next fire, and happens once', async () => {
      const now = nextYear()
      const from = await publisher(subject())
      await publish(from, [schedule(now)])
      expect(await fire(now - 1)).toEqual({ schedules: 0, deliveries: [] })
      const fired = await fire(now)
      expect(fired).toEqual({
        schedules: 1,
        deliveries: [{ lane: 'workflows', runId: expect.any(String), slice: 0 }],
      })
      expect(await fire(now)).toEqual({ schedules: 0, deliveries: [] })
      const runId = checkedId(WorkflowRunId, fired.deliveries[0]?.runId ?? '')
      expect(await ledger(from)).toEqual([
        {
          nodeId: 'r',
          scheduledFor: now,
          outcome: 'fired',
          executionId: runId,
          reason: null,
          decidedAt: now,
        },
      ])
      expect(await stored(from)).toMatchObject([{ nextFireAt: now + HOUR }])
      const [run] = await rowsWhere(client(), 'workflow_runs', 'id', runId)
      expect(run).toMatchObject({
        organization_id: from.tenant.organizationId,
        workflow_id: from.workflow.id,
        version_id: from.versionId,
        source: 'schedule',
        status: 'queued',
        fired_node_id: 'r',
        scheduled_for: new Date(now),
        input: {},
        api_key_id: null,
      })
    })

    it('of a time that is in the ledger starts nothing, as after a clock that was set back', async () => {
      const now = nextYear()
      const from = await publisher(subject())
      await publish(from, [schedule(now)])
      await fire(now)
      await subject().schedules.renew(now - 1, () => now)
      expect(await stored(from)).toMatchObject([{ nextFireAt: now }])
      expect(await fire(now)).toEqual({ schedules: 1, deliveries: [] })
      expect(await ledger(from)).toHaveLength(1)
      expect(await stored(from)).toMatchObject([{ nextFireAt: now + HOUR }])
    })

    it('rejected by the ceiling has a run with the verdict, and stops no other organization', async () => {
      const now = nextYear()
      const [full, free] = [await publisher(subject()), await publisher(subject())]
      await setCeiling(subject(), full.tenant, 0)
      await publish(full, [schedule(now)])
      await publish(free, [schedule(now)])
      const { schedules, deliveries } = await fire(now)
      expect([schedules, deliveries.length]).toEqual([2, 1])
      const [row] = await ledger(full)
      expect(row).toMatchObject({ outcome: 'fired', reason: expect.stringContaining('at its ceiling of 0') })
      const [run] = await rowsWhere(client(), 'workflow_runs', 'id', row?.executionId ?? '')
      expect(run).toMatchObject({ status: 'concurrency_limit_reached', scheduled_for: new Date(now) })
      expect(await ledger(free)).toMatchObject([{ outcome: 'fired', reason: null }])
    })

    it('is rolled back as a whole when something throws', async () => {
      const now = nextYear()
      const [one, other] = [await publisher(subject()), await publisher(subject())]
      for (const from of [one, other]) await publish(from, [schedule(now)])
      let seen = 0
      const failing = fire(now, (held) => {
        seen += 1
        if (seen === 2) throw new Error('broken')
        return startDue(held, now)
      })
      await expect(failing).rejects.toThrow('broken')
      expect([await ledger(one), await ledger(other)]).toEqual([[], []])
      const except = [{ workflowId: one.workflow.id, nodeId: 'r' }]
      expect((await fire(now, undefined, { except })).schedules).toBe(1)
      expect([(await ledger(one)).length, (await ledger(other)).length]).toEqual([0, 1])
      const only = { workflowId: one.workflow.id, nodeId: 'r' }
      expect((await fire(now, undefined, { only })).schedules).toBe(1)
    })

    it('leaves runs above the limit to the next batch', async () => {
      const now = nextYear()
      const from = await publisher(subject(), { ceiling: 100 })
      await publish(
        from,
        ['a', 'b', 'c'].map((nodeId) => schedule(now, { nodeId })),
      )
      const fires = (held: HeldSchedule): PlannedFire[] =>
        [now - 2, now - 1, held.nextFireAt ?? 0].map((scheduledFor) => ({
          scheduledFor,
          outcome: 'late',
          reason: 'caught up',
          runId: newRunId(),
        }))
      const plan = (held: HeldSchedule) => ({ ...startDue(held, now), fires: fires(held) })
      const batches = [
        await fire(now, plan, { maxStarts: 4 }),
        await fire(now, plan, { maxStarts: 4 }),
        await fire(now, plan, { maxStarts: 4 }),
      ]
      expect(batches.map(({ schedules, deliveries }) => [schedules, deliveries.length])).toEqual([
        [2, 6],
        [1, 3],
        [0, 0],
      ])
      expect(await ledger(from)).toHaveLength(9)
    })
  })

  describe('runs in flight of the same node', () => {
    const held = async (overlap: Overlap) => {
      const now = nextYear()
      const from = await publisher(subject())
      await publish(from, [schedule(now, { overlap }), schedule(now, { nodeId: 'other', overlap })])
      const { deliveries } = await fire(now)
      return { now, from, runs: deliveries.map(({ runId }) => checkedId(WorkflowRunId, runId)) }
    }

    it('are listed for their node, without those of other nodes and workflows', async () => {
      const { now, from, runs } = await held('skip')
      await publish(await publishedBy(subject(), from.tenant), [schedule(now + HOUR)])
      const seen = new Map<string, readonly WorkflowRunId[]>()
      await fire(now + HOUR, (one) => {
        seen.set(`${one.workflowId === from.workflow.id} ${one.nodeId}`, one.inFlight)
        return startDue(one, now + HOUR)
      })
      const firedBy = new Map((await ledger(from)).slice(0, 2).map((row) => [row.nodeId, row.executionId]))
      expect(new Set(runs)).toEqual(new Set(firedBy.values()))
      expect(Object.fromEntries(seen)).toEqual({
        'true r': [firedBy.get('r')],
        'true other': [firedBy.get('other')],
        'false r': [],
      })
    })

    it('are not read if the policy does not need them', async () => {
      const { now } = await held('allow')
      const seen: number[] = []
      await fire(now + HOUR, (one) => {
        seen.push(one.inFlight.length)
        return startDue(one, now + HOUR)
      })
      expect(seen).toEqual([0, 0])
    })

    it('give their slot to the fire that cancels them', async () => {
      const { now, from, runs } = await held('cancel_previous')
      await setCeiling(subject(), from.tenant, 2)
      const { deliveries } = await fire(now + HOUR, (one) => ({
        ...startDue(one, now + HOUR),
        cancels: one.inFlight,
      }))
      expect(deliveries).toHaveLength(2)
      for (const runId of runs) {
        expect(await rowsWhere(client(), 'workflow_runs', 'id', runId)).toMatchObject([
          { status: 'cancelled' },
        ])
      }
    })

    it('delay a fire until the last of them has ended', async () => {
      const { now, from } = await held('queue_one')
      const waits = (one: HeldSchedule): FirePlan => ({
        fires: [],
        cancels: [],
        nextFireAt: now + 2 * HOUR,
        waitingSince: one.nextFireAt,
      })
      await fire(now + HOUR, waits)
      const started = (one: HeldSchedule): FirePlan => ({
        fires: [
          { scheduledFor: one.waitingSince ?? 0, outcome: 'late', reason: 'waited', runId: newRunId() },
        ],
        cancels: [],
        nextFireAt: one.nextFireAt,
        waitingSince: null,
      })
      const waiting = () => fire(now + HOUR + 1, started, { which: 'waiting' })
      expect(await subject().schedules.pending(now + HOUR + 1)).toEqual({ due: false, waiting: true })
      expect(await waiting()).toEqual({ schedules: 0, deliveries: [] })
      const [run] = (await ledger(from)).filter(({ nodeId }) => nodeId === 'r')
      await commit(subject(), await claimed(subject(), { runId: run?.executionId ?? newRunId() }), DONE)
      expect((await waiting()).schedules).toBe(1)
      expect((await waiting()).schedules).toBe(0)
      expect(await ledger(from)).toContainEqual(
        expect.objectContaining({ nodeId: 'r', scheduledFor: now + HOUR, outcome: 'late', reason: 'waited' }),
      )
    })
  })

  describe('recomputing next fires', () => {
    it('changes those that differ, but neither due ones nor correct ones', async () => {
      const now = nextYear()
      const from = await publisher(subject())
      await publish(from, [
        schedule(now - 1, { nodeId: 'due' }),
        schedule(null, { nodeId: 'never' }),
        schedule(now + 1, { nodeId: 'right' }),
        schedule(now + 2, { nodeId: 'wrong' }),
      ])
      const next = { never: now + 8, right: now + 1, wrong: now + 9 }
      const mine = ({ workflowId }: { workflowId: string }) => workflowId === from.workflow.id
      const renew = () =>
        subject().schedules.renew(now, (one) =>
          mine(one) ? next[one.nodeId as keyof typeof next] : one.nextFireAt,
        )
      expect((await renew()).filter(mine)).toEqual([
        { ...owner(from), nodeId: 'never', from: null, to: now + 8 },
        { ...owner(from), nodeId: 'wrong', from: now + 2, to: now + 9 },
      ])
      expect(await renew()).toEqual([])
      expect((await stored(from)).map(({ nextFireAt }) => nextFireAt)).toEqual([
        now - 1,
        now + 8,
        now + 1,
        now + 9,
      ])
    })

    it('resets a publish time in the future, which would keep a schedule silent until then', async () => {
      const now = nextYear()
      const from = await publisher(subject())
      await publish(from, [schedule(now + 9)], { publishedAt: now + 8 })
      await subject().schedules.renew(now, ({ nextFireAt }) => nextFireAt)
      expect(await stored(from)).toMatchObject([{ publishedAt: now, nextFireAt: now + 9 }])
    })

    it('covers every page', async () => {
      const now = nextYear()
      const from = await publisher(subject())
      await publish(
        from,
        Array.from({ length: 1_100 }, (_, index) => schedule(now + 5, { nodeId: `n${index}` })),
      )
      const seen = new Set<string>()
      await subject().schedules.renew(now, ({ workflowId, nodeId, nextFireAt }) => {
        if (workflowId === from.workflow.id) seen.add(nodeId)
        return nextFireAt
      })
      expect(seen.size).toBe(1_100)
    })
  })

  describe('retention of the ledger', () => {
    it('deletes older decisions, even more than fit into one statement', async () => {
      const now = nextYear()
      const from = await publisher(subject())
      await publish(from, [schedule(now)])
      const many = (held: HeldSchedule, count: number): FirePlan => ({
        ...startDue(held, now),
        fires: Array.from({ length: count }, (_, index) => ({
          scheduledFor: now - index,
          outcome: 'missed',
          reason: 'down',
          runId: null,
        })),
      })
      await fire(now, (held) => many(held, 2_100))
      await fire(now + HOUR)
      await subject().schedules.sweepExpired(now)
      const rows = () => rowsWhere(client(), 'schedule_fires', 'workflow_id', from.workflow.id)
      expect(await rows()).toHaveLength(2_101)
      await subject().schedules.sweepExpired(now + 1)
      expect(await rows()).toHaveLength(1)
    })
  })
}
