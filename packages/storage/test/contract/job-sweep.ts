import type { NewRun } from '@troupe/agents/ports'
import { describe, expect, it } from 'vitest'
import type { SqlClient } from '../../src/sql/client/sql-client.ts'
import { rowsWhere } from './inspect.ts'
import { claimed, earlier, jobOn, PATIENT, stepOf, sweptSlice } from './job-builders.ts'
import { endOf, eventOf, targetOf } from './run-builders.ts'
import { createTenant, type Subject, type Tenant } from './tenant.ts'

export function jobSweepContract(subject: Subject, client: () => SqlClient): void {
  /** Expects this end of the job in its row and in its log, and no journal. */
  const expectEnd = async (tenant: Tenant, run: NewRun, status: string, error: string, message: string) => {
    const db = subject()
    expect(await db.runs.find(tenant.scope, targetOf(run))).toMatchObject({
      status,
      success: false,
      errorCode: error,
      errorMessage: message,
      completedAt: expect.any(Number),
    })
    const last = (await db.runs.eventsAfter(run.runId, 0)).at(-1)
    const createdAt = expect.closeTo(Date.now() / 1000, -1.5)
    expect(last).toMatchObject({ event: 'RunError', data: { runId: run.runId, createdAt, error, message } })
    expect(await rowsWhere(client(), 'run_steps', 'run_id', run.runId)).toEqual([])
    expect(await sweptSlice(db, run)).toBeNull()
  }

  describe('the sweep of jobs', () => {
    it('dispatches unclaimed jobs, again every 10 seconds', async () => {
      const db = subject()
      const run = await jobOn(db, await createTenant(db))
      const deliveries = await db.jobs.sweep(PATIENT)
      expect(deliveries).toContainEqual({ lane: 'jobs', runId: run.runId, slice: 0 })
      expect(await sweptSlice(db, run)).toBeNull()
      await earlier(client(), run, 11)
      expect(await sweptSlice(db, run)).toBe(0)
    })

    it('dispatches again what an engine accepted only after a long time without a claim', async () => {
      const db = subject()
      const run = await jobOn(db, await createTenant(db))
      await db.jobs.dispatched({ runId: run.runId, slice: 0 }, 60)
      await earlier(client(), run, 55)
      expect(await sweptSlice(db, run)).toBeNull()
      await earlier(client(), run, 6)
      expect(await sweptSlice(db, run)).toBe(0)
      await claimed(db, run)
      // The engine answers late: the delivery is already claimed, and must not become due again.
      await db.jobs.dispatched({ runId: run.runId, slice: 0 }, -60)
      expect(await rowsWhere(client(), 'runs', 'id', run.runId)).toMatchObject([{ dispatch_due_at: null }])
    })

    it('by three concurrent processes passes each delivery to one of them', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const runs = await Promise.all(Array.from({ length: 60 }, () => jobOn(db, tenant)))
      const swept = await Promise.all([1, 2, 3].map(() => db.jobs.sweep(PATIENT)))
      const ids = new Set<string>(runs.map((run) => run.runId))
      const mine = swept.flat().filter((one) => ids.has(one.runId))
      expect(mine.map((one) => one.runId).toSorted()).toEqual([...ids].toSorted())
    })

    it('dispatches more than fit into one statement', async () => {
      const db = subject()
      const run = await jobOn(db, await createTenant(db))
      const columns =
        'organization_id, kind, entity_id, entity_version_id, session_row_id, source, status, user_id'
      const more = `include_messages, api_key_id, dispatch_due_at, limit_seconds, created_at`
      const copied = await client().query<{ id: string }>(
        {
          name: 'copy_job',
          text: `insert into runs (id, ${columns}, ${more}) select gen_random_uuid(), ${columns}, ${more}
            from runs, generate_series(1, 1100) where id = $1::uuid returning id`,
        },
        [run.runId],
      )
      const ids = new Set(copied.map((row) => row.id))
      const swept = (await db.jobs.sweep(PATIENT)).filter((one) => ids.has(one.runId))
      expect(new Set(swept.map((one) => one.runId)).size).toBe(1_100)
      expect(swept).toHaveLength(1_100)
      const text =
        "update runs set status = 'cancelled', tool_context_sealed = null where session_row_id in (select session_row_id from runs where id = $1::uuid)"
      await client().query({ name: 'drop_copies', text }, [run.runId])
    })

    it('fails a job that no engine accepted for 60 seconds, and notifies the readers', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const run = await jobOn(db, tenant, { createdAt: Date.now() - 61_000 })
      const taken = await jobOn(db, tenant, { createdAt: Date.now() - 61_000 })
      await db.jobs.dispatched({ runId: taken.runId, slice: 0 }, 60)
      const heard: unknown[] = []
      const unsubscribe = db.signals.subscribe((signal) => heard.push(signal))
      expect(await sweptSlice(db, run, { dispatchSeconds: 60 })).toBeNull()
      await expect.poll(() => heard).toContainEqual({ kind: 'run_events', runId: run.runId })
      unsubscribe()
      const text = 'The job could not be dispatched: the engine is unreachable.'
      await expectEnd(tenant, run, 'failed', 'upstream_error', text)
      expect(await sweptSlice(db, taken, { dispatchSeconds: 60 })).toBeNull()
      expect((await db.runs.find(tenant.scope, targetOf(taken)))?.status).toBe('queued')
    })

    it('first retries jobs that no process could dispatch during an outage', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const run = await jobOn(db, tenant)
      await earlier(client(), run, 600)
      expect(await sweptSlice(db, run, { dispatchSeconds: 60 })).toBe(0)
      await earlier(client(), run, 10)
      expect(await sweptSlice(db, run, { dispatchSeconds: 60 })).toBeNull()
      expect((await db.runs.find(tenant.scope, targetOf(run)))?.status).toBe('failed')
    })

    it('times out a job that an engine accepted and no worker started in time', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const run = await jobOn(db, tenant)
      await db.jobs.dispatched({ runId: run.runId, slice: 0 }, 60)
      await earlier(client(), run, 59)
      await db.jobs.dispatched({ runId: run.runId, slice: 0 }, 60)
      expect(await sweptSlice(db, run, { queueSeconds: 60 })).toBeNull()
      await earlier(client(), run, 2)
      expect(await sweptSlice(db, run, { queueSeconds: 60 })).toBeNull()
      await expectEnd(tenant, run, 'timeout', 'execution_timeout', 'The job was not started in time.')
    })

    it('does not touch a job whose worker is alive', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const run = await jobOn(db, tenant, { createdAt: 1_000 })
      await claimed(db, run)
      expect(await sweptSlice(db, run, { dispatchSeconds: 1, queueSeconds: 1 })).toBeNull()
      expect(await rowsWhere(client(), 'runs', 'id', run.runId)).toMatchObject([
        { status: 'running', slice: 0, losses: 0, worker_id: 'w' },
      ])
    })

    it('voids an expired lease and dispatches the next turn', async () => {
      const db = subject()
      const run = await jobOn(db, await createTenant(db))
      const { fence } = await claimed(db, run, { leaseSeconds: -1 })
      expect(await sweptSlice(db, run)).toBe(1)
      expect(await db.runs.finish(endOf(run, { fence }))).toEqual({ finished: false, status: 'running' })
      expect(await db.jobs.yield(run.runId, fence)).toBeNull()
      expect(await db.jobs.claim({ runId: run.runId, slice: 0 }, 'w', 30)).toBeNull()
      await claimed(db, run, { slice: 1 })
    })

    it('fails a job that lost its third worker on one step, and names the step', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const run = await jobOn(db, tenant)
      const { fence } = await claimed(db, run)
      for (const key of ['a', 'b']) await db.jobs.commitStep(stepOf(run, fence, { key }))
      await db.runs.appendEvents(run.runId, tenant.organizationId, [eventOf(1)], fence)
      await db.jobs.yield(run.runId, fence)
      for (const slice of [1, 2, 3]) {
        await claimed(db, run, { slice, leaseSeconds: -1 })
        expect(await sweptSlice(db, run)).toBe(slice < 3 ? slice + 1 : null)
      }
      await expectEnd(tenant, run, 'failed', 'upstream_error', 'The worker was lost 3 times at step 3.')
    })

    it('restarts the count of losses after every committed step', async () => {
      const db = subject()
      const run = await jobOn(db, await createTenant(db))
      for (const slice of [0, 1, 2, 3, 4]) {
        const { fence } = await claimed(db, run, { slice, leaseSeconds: -1 })
        if (slice === 1 || slice === 2) await db.jobs.commitStep(stepOf(run, fence, { key: `${slice}` }))
        expect(await sweptSlice(db, run)).toBe(slice < 4 ? slice + 1 : null)
      }
    })

    it('times out a job a minute past its limit, whichever process owns it', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const run = await jobOn(db, tenant, { limitSeconds: 90 })
      const { fence } = await claimed(db, run, { leaseSeconds: 3_600 })
      await db.jobs.commitStep(stepOf(run, fence))
      await earlier(client(), run, 90 + 55)
      expect(await sweptSlice(db, run)).toBeNull()
      expect((await db.runs.find(tenant.scope, targetOf(run)))?.status).toBe('running')
      await earlier(client(), run, 10)
      await sweptSlice(db, run)
      await expectEnd(tenant, run, 'timeout', 'execution_timeout', 'The job ran longer than 90 seconds.')
      expect(await db.runs.finish(endOf(run, { fence }))).toEqual({ finished: false, status: 'timeout' })
      expect(await db.jobs.ended('w', [run.runId])).toEqual([{ runId: run.runId, reason: 'cancel' }])
    })

    it('makes a job due that has neither a lease nor a due time', async () => {
      const db = subject()
      const run = await jobOn(db, await createTenant(db))
      const { fence } = await claimed(db, run)
      await db.jobs.yield(run.runId, fence)
      const text = 'update runs set dispatch_due_at = null where id = $1::uuid'
      await client().query({ name: 'forget_due', text }, [run.runId])
      expect(await sweptSlice(db, run)).toBeNull()
      await earlier(client(), run, 11)
      expect(await sweptSlice(db, run)).toBe(1)
    })
  })

  describe('after a boot', () => {
    it('no lease and no queue of an earlier process is valid', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const [running, queued, between] = [
        await jobOn(db, tenant),
        await jobOn(db, tenant),
        await jobOn(db, tenant),
      ]
      const { fence } = await claimed(db, running)
      await db.jobs.dispatched({ runId: queued.runId, slice: 0 }, 60)
      await db.jobs.yield(between.runId, (await claimed(db, between)).fence)
      await db.jobs.dispatched({ runId: between.runId, slice: 1 }, 60)
      await db.jobs.recover()
      const due = await db.jobs.sweep(PATIENT)
      for (const [run, slice] of [
        [running, 1],
        [queued, 0],
        [between, 1],
      ] as const) {
        expect(due).toContainEqual({ lane: 'jobs', runId: run.runId, slice })
      }
      expect(await db.jobs.commitStep(stepOf(running, fence))).toBe(false)
      const rows = await rowsWhere(client(), 'runs', 'entity_id', between.session.entityId)
      expect(rows).toMatchObject([{ losses: 0 }])
    })

    it('a job that crashed three processes has failed', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const run = await jobOn(db, tenant)
      for (const slice of [0, 1, 2]) {
        await claimed(db, run, { slice })
        await db.jobs.recover()
      }
      await expectEnd(tenant, run, 'failed', 'upstream_error', 'The worker was lost 3 times at step 1.')
    })
  })
}
