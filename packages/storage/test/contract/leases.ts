import { newId, RunId } from '@troupe/contract'
import { describe, expect, it } from 'vitest'
import type { SqlClient } from '../../src/sql/client/sql-client.ts'
import { rowsWhere } from './inspect.ts'
import { endOf, eventOf, runOn, sessionOf, targetOf } from './run-builders.ts'
import { createTenant, type Subject } from './tenant.ts'

const LOST = { errorCode: 'upstream_error', errorMessage: 'The process that executed the run was lost.' }

export function leasesContract(subject: Subject, client: () => SqlClient): void {
  describe('leases', () => {
    it('are renewed for the runs of one process and expire for the others', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const [mine, theirs] = [newId(RunId), newId(RunId)]
      const kept = runOn(tenant, sessionOf(tenant), { workerId: mine, leaseSeconds: -1 })
      const lost = runOn(tenant, sessionOf(tenant), {
        workerId: theirs,
        leaseSeconds: -1,
        source: 'api_stream',
      })
      const fresh = runOn(tenant, sessionOf(tenant), { workerId: theirs })
      for (const run of [kept, lost, fresh]) await db.runs.start(run)
      await db.runs.appendEvents(
        lost.runId,
        tenant.organizationId,
        [
          { seqFrom: 1, seq: 1, event: 'RunStarted', data: {}, cuts: null },
          { seqFrom: 2, seq: 4, event: 'RunContent', data: { delta: 'abc' }, cuts: [1, 2, 3] },
        ],
        null,
      )
      await db.jobs.renewLeases(mine, [kept.runId], 30)
      expect(await db.runs.failLost({ all: false, ...LOST })).toBe(1)
      expect(await db.jobs.ended(mine, [kept.runId, lost.runId, fresh.runId, newId(RunId)])).toEqual([
        { runId: lost.runId, reason: 'cancel' },
      ])
      expect(await db.runs.find(tenant.scope, targetOf(lost))).toMatchObject({
        status: 'failed',
        success: false,
        ...LOST,
      })
      expect(await db.runs.eventsAfter(lost.runId, 4)).toEqual([
        {
          seqFrom: 5,
          seq: 5,
          event: 'RunError',
          data: {
            runId: lost.runId,
            createdAt: expect.closeTo(Date.now() / 1000, -1.5),
            error: LOST.errorCode,
            message: LOST.errorMessage,
          },
          cuts: null,
        },
      ])
      await db.runs.appendEvents(
        lost.runId,
        tenant.organizationId,
        [{ seqFrom: 6, seq: 6, event: 'RunContent', data: {}, cuts: null }],
        null,
      )
      expect(await db.runs.eventsAfter(lost.runId, 5)).toEqual([])
      expect(await db.runs.finish(endOf(lost))).toEqual({ finished: false, status: 'failed' })
      expect(await db.runs.failLost({ all: true, ...LOST })).toBeGreaterThanOrEqual(2)
      expect(await db.jobs.ended(mine, [kept.runId, fresh.runId])).toHaveLength(2)
    })

    it('of a run that stores no texts: leftovers of its lost or cancelled worker are erased', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const changes = { input: 'secret', storeMessages: false, source: 'api_stream' } as const
      const lost = runOn(tenant, sessionOf(tenant), { ...changes, leaseSeconds: -1 })
      const waiting = runOn(tenant, sessionOf(tenant), { ...changes, source: 'api_async' })
      const owed = runOn(tenant, sessionOf(tenant), changes)
      const running = runOn(tenant, sessionOf(tenant), changes)
      const kept = runOn(tenant, sessionOf(tenant), { ...changes, storeMessages: true, leaseSeconds: -1 })
      for (const run of [lost, waiting, owed, running, kept]) await db.runs.start(run)
      const events = [eventOf(1, 'RunStarted'), eventOf(2, 'RunContent', { delta: 'secret' })]
      await db.runs.appendEvents(lost.runId, tenant.organizationId, events, null)
      await db.runs.failLost({ all: false, ...LOST })
      for (const run of [waiting, owed]) await db.runs.cancel(tenant.scope, targetOf(run))
      await db.runs.eraseTexts()
      const inputs = [lost, waiting, owed, running, kept].map(async ({ runId }) => {
        const [row] = await rowsWhere(client(), 'runs', 'id', runId)
        return row?.input ?? null
      })
      expect(await Promise.all(inputs)).toEqual([null, null, 'secret', 'secret', 'secret'])
      const log = await db.runs.eventsAfter(lost.runId, 0)
      expect(log.map(({ event }) => event)).toEqual(['RunStarted', 'RunError'])
      await db.runs.settleCancelled(endOf(owed, { status: 'cancelled', storeMessages: false }))
      const [settled] = await rowsWhere(client(), 'runs', 'id', owed.runId)
      expect(settled?.input).toBeNull()
    })

    it('that two sweeps find lost are ended by one of them', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      await db.runs.failLost({ all: true, ...LOST })
      const runs = Array.from({ length: 40 }, () =>
        runOn(tenant, sessionOf(tenant), { leaseSeconds: -1, source: 'api_stream' }),
      )
      await Promise.all(runs.map((run) => db.runs.start(run)))
      const counts = await Promise.all([1, 2, 3, 4].map(() => db.runs.failLost({ all: false, ...LOST })))
      expect(counts.reduce((a, b) => a + b)).toBe(40)
      for (const run of runs) expect(await db.runs.eventsAfter(run.runId, 0)).toHaveLength(1)
    })
  })
}
