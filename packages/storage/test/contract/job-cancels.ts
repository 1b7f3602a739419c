import { describe, expect, it } from 'vitest'
import type { SqlClient } from '../../src/sql/client/sql-client.ts'
import { rowsWhere } from './inspect.ts'
import { claimed, jobOn, stepOf, sweptSlice } from './job-builders.ts'
import { endOf, eventOf, targetOf, usage } from './run-builders.ts'
import { createTenant, type Subject } from './tenant.ts'

const CANCELLED = { cancelled: true, status: 'cancelled' }

export function jobCancelsContract(subject: Subject, client: () => SqlClient): void {
  const cancelledEvent = (runId: string) => ({
    event: 'RunCancelled',
    data: { runId, createdAt: expect.closeTo(Date.now() / 1000, -1.5), reason: 'user', content: '' },
  })

  describe('a cancelled job', () => {
    it('that was queued never runs: a signal is sent, its log has its end, and nothing is due', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const run = await jobOn(db, tenant)
      const heard: unknown[] = []
      const unsubscribe = db.signals.subscribe((signal) => {
        if (signal.kind === 'run_cancelled') heard.push(signal.runId)
      })
      const target = targetOf(run, { entityId: null })
      expect(await db.runs.cancel(tenant.scope, target)).toEqual(CANCELLED)
      expect(await db.runs.cancel(tenant.scope, target)).toEqual({ cancelled: false, status: 'cancelled' })
      await expect.poll(() => heard).toEqual([run.runId])
      unsubscribe()
      expect(await db.runs.eventsAfter(run.runId, 0)).toMatchObject([
        { seq: 1, ...cancelledEvent(run.runId) },
      ])
      expect(await sweptSlice(db, run)).toBeNull()
      expect(await db.jobs.claim({ runId: run.runId, slice: 0 }, 'w', 30)).toBeNull()
      expect(await db.runs.find(tenant.scope, targetOf(run))).toMatchObject({
        status: 'cancelled',
        startedAt: null,
        completedAt: expect.any(Number),
      })
    })

    it.each(['between two turns', 'whose worker is lost'])('%s has nothing outstanding', async (which) => {
      const db = subject()
      const tenant = await createTenant(db)
      const run = await jobOn(db, tenant)
      const lost = which !== 'between two turns'
      const { fence } = await claimed(db, run, { leaseSeconds: lost ? -1 : 30 })
      await db.jobs.commitStep(stepOf(run, fence, { events: [eventOf(1), eventOf(2)] }))
      if (!lost) await db.jobs.yield(run.runId, fence)
      expect(await db.runs.cancel(tenant.scope, targetOf(run))).toEqual(CANCELLED)
      await db.runs.settleCancelled(endOf(run, { fence, status: 'cancelled', content: 'late' }))
      await db.runs.appendEvents(run.runId, tenant.organizationId, [eventOf(9)], fence)
      expect(await rowsWhere(client(), 'run_steps', 'run_id', run.runId)).toEqual([])
      expect((await db.runs.eventsAfter(run.runId, 2)).map(({ seq, event }) => [seq, event])).toEqual([
        [3, 'RunCancelled'],
      ])
      expect((await db.runs.find(tenant.scope, targetOf(run)))?.content).toBeNull()
    })

    it('that runs is settled only by its worker', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const run = await jobOn(db, tenant)
      const { fence } = await claimed(db, run)
      await db.jobs.commitStep(stepOf(run, fence, { usage: [usage()] }))
      expect(await db.runs.cancel(tenant.scope, targetOf(run))).toEqual(CANCELLED)
      expect(await db.runs.eventsAfter(run.runId, 0)).toEqual([])
      const end = endOf(run, {
        fence,
        status: 'cancelled',
        content: 'par',
        usage: [usage()],
        events: [eventOf(1, 'RunCancelled')],
      })
      await db.runs.settleCancelled({ ...end, fence: { ...fence, workerId: 'x' }, content: 'another' })
      await db.runs.settleCancelled({ ...end, fence: { ...fence, slice: 1 }, content: 'another' })
      await db.runs.settleCancelled(end)
      await db.runs.settleCancelled({ ...end, content: 'twice' })
      expect(await db.runs.find(tenant.scope, targetOf(run))).toMatchObject({
        status: 'cancelled',
        content: 'par',
      })
      expect(await rowsWhere(client(), 'usage_records', 'run_id', run.runId)).toHaveLength(2)
      expect(await rowsWhere(client(), 'run_steps', 'run_id', run.runId)).toEqual([])
      expect(await db.runs.eventsAfter(run.runId, 0)).toEqual(end.events)
    })

    it('concurrent with a finish, 200 times: exactly one wins, and both report it', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const runs = await Promise.all(Array.from({ length: 200 }, () => jobOn(db, tenant)))
      await Promise.all(runs.map((run) => claimed(db, run)))
      const verdicts = await Promise.all(
        runs.map(async (run, i) => {
          const end = endOf(run, { fence: { workerId: 'w', slice: 0 }, usage: [usage()] })
          const finish = () => db.runs.finish(end)
          const cancel = () => db.runs.cancel(tenant.scope, targetOf(run))
          const [one, two] = await Promise.all(i % 2 ? [cancel(), finish()] : [finish(), cancel()])
          return { run, told: i % 2 ? [two, one] : [one, two] }
        }),
      )
      for (const { run, told } of verdicts) {
        const status = (await db.runs.find(tenant.scope, targetOf(run)))?.status
        expect(told).toEqual(
          status === 'completed'
            ? [{ finished: true }, { cancelled: false, status: 'completed' }]
            : [{ finished: false, status: 'cancelled' }, CANCELLED],
        )
        expect(await rowsWhere(client(), 'usage_records', 'run_id', run.runId)).toHaveLength(
          status === 'completed' ? 1 : 0,
        )
      }
    })

    it('concurrent with a claim never runs unnoticed', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const runs = await Promise.all(Array.from({ length: 100 }, () => jobOn(db, tenant)))
      await Promise.all(
        runs.map(async (run, i) => {
          const claim = () => db.jobs.claim({ runId: run.runId, slice: 0 }, 'w', 30)
          const cancel = () => db.runs.cancel(tenant.scope, targetOf(run))
          const [one, two] = await Promise.all(i % 2 ? [cancel(), claim()] : [claim(), cancel()])
          const [job, cancelled] = i % 2 ? [two, one] : [one, two]
          expect(cancelled).toEqual(CANCELLED)
          const ends = (await db.runs.eventsAfter(run.runId, 0)).length
          // Claimed first: the worker owes the end. Cancelled first: there is no worker, and the end is written.
          expect(ends).toBe(job ? 0 : 1)
        }),
      )
    })
  })
}
