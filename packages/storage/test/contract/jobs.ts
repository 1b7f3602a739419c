import { AgentId, AgentVersionId, newId, RunId } from '@troupe/contract'
import { describe, expect, it } from 'vitest'
import type { SqlClient } from '../../src/sql/client/sql-client.ts'
import { rowsWhere } from './inspect.ts'
import { claimed, earlier, jobOn, SEALED_CONTEXT, stepOf, sweptSlice } from './job-builders.ts'
import { endOf, eventOf, runOn, sessionOf, targetOf, usage } from './run-builders.ts'
import { createTenant, type Subject } from './tenant.ts'

export function jobsContract(subject: Subject, client: () => SqlClient): void {
  describe('a job', () => {
    it('is queued when it is written, and found as one by its scope only', async () => {
      const db = subject()
      const [tenant, other] = [await createTenant(db), await createTenant(db)]
      const { organizationId, projectA, projectB } = tenant
      const job = await jobOn(db, tenant, {}, sessionOf(tenant, { kind: 'team', projectId: projectA }))
      const target = targetOf(job, { entityId: null })
      expect(await db.runs.find(tenant.scope, target)).toMatchObject({
        status: 'queued',
        source: 'api_async',
        kind: 'team',
        entityId: job.session.entityId,
        startedAt: null,
      })
      expect(await db.runs.find({ organizationId, projectId: projectA }, target)).not.toBeNull()
      for (const scope of [other.scope, { organizationId, projectId: projectB }]) {
        expect(await db.runs.find(scope, target)).toBeNull()
        expect(await db.runs.cancel(scope, target)).toBeNull()
      }
      expect(await db.runs.find(tenant.scope, { ...target, kind: 'agent' })).toBeNull()
      expect(await db.runs.cancel(tenant.scope, { ...target, kind: 'agent' })).toBeNull()
    })

    it('is started once by requests with one idempotency key', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const idempotency = { path: '/run-async', key: 'k', bodyHash: 'h' }
      const runs = Array.from({ length: 20 }, () =>
        runOn(tenant, sessionOf(tenant), { source: 'api_async', idempotency }),
      )
      const outcomes = await Promise.all(runs.map((run) => db.runs.start(run)))
      const [winner, ...others] = runs.filter((_, i) => outcomes[i]?.kind === 'started')
      expect(others).toEqual([])
      expect(outcomes.filter((outcome) => outcome.kind !== 'started')).toEqual(
        Array.from({ length: 19 }, () => ({
          kind: 'idempotency_key_used',
          runId: winner?.runId,
          bodyHash: 'h',
        })),
      )
    })

    it('is claimed with all fields of its row, and is running then', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const [agent, version] = [newId(AgentId), newId(AgentVersionId)]
      const pins: Record<AgentId, AgentVersionId> = { [agent]: version }
      const session = sessionOf(tenant, { kind: 'team', projectId: tenant.projectA })
      const run = await jobOn(
        db,
        tenant,
        { pins, limitSeconds: 90, tag: 't', includeMessages: true, createdAt: 1_800_000_000_123 },
        session,
      )
      const job = await claimed(db, run, { workerId: 'w1' })
      expect(job).toEqual({
        runId: run.runId,
        fence: { workerId: 'w1', slice: 0 },
        kind: 'team',
        entityId: session.entityId,
        entityVersionId: run.entityVersionId,
        pins,
        organizationId: tenant.organizationId,
        projectId: tenant.projectA,
        apiKeyId: tenant.apiKeyId,
        sessionId: session.sessionId,
        sessionSeq: 1,
        userId: 'ana',
        namesUser: true,
        input: 'Hello',
        includeMessages: true,
        tag: 't',
        createdAt: 1_800_000_000_123,
        startedAt: expect.closeTo(Date.now(), -4.5),
        deadlineAt: job.startedAt + 90_000,
        limitSeconds: 90,
        toolContextSealed: SEALED_CONTEXT,
        steps: new Map(),
        usage: { inputTokens: 0, outputTokens: 0, failoverUsed: false, costMicros: 0 },
        lastSeq: 0,
      })
      expect(await db.runs.find(tenant.scope, targetOf(run))).toMatchObject({
        status: 'running',
        startedAt: job.startedAt,
      })
    })

    it('goes to one of fifty concurrent claims', async () => {
      const db = subject()
      const run = await jobOn(db, await createTenant(db))
      const claims = await Promise.all(
        Array.from({ length: 50 }, (_, i) => db.jobs.claim({ runId: run.runId, slice: 0 }, `w${i}`, 30)),
      )
      expect(claims.filter((claim) => claim !== null)).toHaveLength(1)
    })

    it('is not claimed by a stale or an early delivery, after its end, or if it is not a job', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const run = await jobOn(db, tenant)
      expect(await db.jobs.claim({ runId: run.runId, slice: 1 }, 'w', 30)).toBeNull()
      const { fence } = await claimed(db, run)
      await db.jobs.yield(run.runId, fence)
      expect(await db.jobs.claim({ runId: run.runId, slice: 0 }, 'w', 30)).toBeNull()
      await db.runs.cancel(tenant.scope, targetOf(run))
      expect(await db.jobs.claim({ runId: run.runId, slice: 1 }, 'w', 30)).toBeNull()
      const sync = runOn(tenant, sessionOf(tenant), { leaseSeconds: -1 })
      await db.runs.start(sync)
      expect(await db.jobs.claim({ runId: sync.runId, slice: 0 }, 'w', 30)).toBeNull()
      expect(await db.jobs.claim({ runId: newId(RunId), slice: 0 }, 'w', 30)).toBeNull()
    })

    it('is claimed again in the same turn when the lease has run out, and starts only once', async () => {
      const db = subject()
      const run = await jobOn(db, await createTenant(db))
      const first = await claimed(db, run, { workerId: 'dead', leaseSeconds: -1 })
      await earlier(client(), run, 5)
      const second = await claimed(db, run, { workerId: 'w' })
      expect(second.startedAt).toBe(first.startedAt)
      expect(second.deadlineAt).toBe(first.deadlineAt - 5_000)
      expect(await db.jobs.commitStep(stepOf(run, first.fence))).toBe(false)
      expect(await db.jobs.commitStep(stepOf(run, second.fence))).toBe(true)
    })

    it('is released at the end of a turn: the next one is due at once, the old one is over', async () => {
      const db = subject()
      const run = await jobOn(db, await createTenant(db))
      const { fence } = await claimed(db, run)
      expect(await db.jobs.yield(run.runId, { ...fence, workerId: 'another' })).toBeNull()
      expect(await db.jobs.yield(run.runId, fence)).toBe(1)
      expect(await db.jobs.yield(run.runId, fence)).toBeNull()
      expect(await db.jobs.commitStep(stepOf(run, fence))).toBe(false)
      expect(await db.runs.finish(endOf(run, { fence }))).toEqual({ finished: false, status: 'running' })
      expect(await sweptSlice(db, run)).toBe(1)
      expect((await claimed(db, run, { slice: 1 })).fence).toEqual({ workerId: 'w', slice: 1 })
    })

    it('tells its worker what to stop: ended jobs, and jobs of another worker', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const [mine, ended, taken, given, queued] = await Promise.all(
        Array.from({ length: 5 }, () => jobOn(db, tenant)),
      )
      if (!mine || !ended || !taken || !given || !queued) throw new Error('no jobs')
      for (const run of [mine, ended, taken, given]) {
        await claimed(db, run, { workerId: run === taken ? 'other' : 'w' })
      }
      await db.runs.cancel(tenant.scope, targetOf(ended))
      await db.jobs.yield(given.runId, { workerId: 'w', slice: 0 })
      const ids = [mine, ended, taken, given, queued].map((run) => run.runId)
      const told = new Map(
        (await db.jobs.ended('w', [...ids, newId(RunId)])).map((one) => [one.runId, one.reason]),
      )
      expect(told).toEqual(
        new Map([
          [ended.runId, 'cancel'],
          [taken.runId, 'lost'],
          [given.runId, 'lost'],
          [queued.runId, 'lost'],
        ]),
      )
    })

    it('is not failed with the runs of a lost process', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const run = await jobOn(db, tenant)
      await claimed(db, run, { leaseSeconds: -1 })
      await db.runs.failLost({ all: true, errorCode: 'x', errorMessage: 'x' })
      expect((await db.runs.find(tenant.scope, targetOf(run)))?.status).toBe('running')
    })

    it('is ended only by its worker, with all outstanding writes and without its journal', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const run = await jobOn(db, tenant)
      const { fence } = await claimed(db, run)
      await db.jobs.commitStep(stepOf(run, fence, { events: [eventOf(1)], usage: [usage()] }))
      const end = endOf(run, { fence, usage: [usage()], events: [eventOf(2, 'RunCompleted')] })
      for (const broken of [
        { ...fence, slice: 1 },
        { ...fence, workerId: 'x' },
      ]) {
        expect(await db.runs.finish({ ...end, fence: broken })).toEqual({
          finished: false,
          status: 'running',
        })
      }
      expect(await db.runs.finish(end)).toEqual({ finished: true })
      expect(await db.runs.finish(end)).toEqual({ finished: false, status: 'completed' })
      expect(await rowsWhere(client(), 'run_steps', 'run_id', run.runId)).toEqual([])
      expect(await rowsWhere(client(), 'usage_records', 'run_id', run.runId)).toHaveLength(2)
      expect((await db.runs.eventsAfter(run.runId, 0)).map((one) => one.seq)).toEqual([1, 2])
      expect(await db.jobs.claim({ runId: run.runId, slice: 0 }, 'w', 30)).toBeNull()
      expect(await sweptSlice(db, run)).toBeNull()
    })
  })
}
