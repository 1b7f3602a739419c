import { setTimeout as pause } from 'node:timers/promises'
import type { NewRun } from '@troupe/agents/ports'
import { describe, expect, it } from 'vitest'
import type { SqlDriver } from '../../src/sql/client/sql-client.ts'
import { rowsWhere } from './inspect.ts'
import { claimed, jobOn, PATIENT, stepOf } from './job-builders.ts'
import { endOf, eventOf, targetOf, usage } from './run-builders.ts'
import { createTenant, type Subject } from './tenant.ts'

const STEPS = ['a', 'b', 'c', 'd']
const WORKERS = ['w1', 'w2', 'w3', 'w4']

export function jobRacesContract(subject: Subject, driver: () => SqlDriver): void {
  /**
   * One turn of a worker: up to three steps, then the end or the next turn. A mortal one may stop anywhere, and its
   * lease has been expired from the beginning, so that others take over while it still writes.
   */
  const turn = async (run: NewRun, slice: number, workerId: string, mortal: boolean) => {
    const db = subject()
    const dies = () => mortal && Math.random() < 0.2
    const job = await db.jobs.claim({ runId: run.runId, slice }, workerId, mortal ? -1 : 60)
    if (!job) return
    const { fence } = job
    let seq = job.lastSeq
    const missing = STEPS.filter((key) => !job.steps.has(key))
    for (const key of missing.slice(0, 3)) {
      if (dies()) return
      seq += 1
      const step = stepOf(run, fence, { key, usage: [usage()], events: [eventOf(seq, `Step-${key}`)] })
      if (!(await db.jobs.commitStep(step))) break
    }
    if (dies()) return
    if (missing.length > 3) return db.jobs.yield(run.runId, fence)
    const end = endOf(run, { fence, events: [eventOf(seq + 1, 'RunCompleted')] })
    const finished = await db.runs.finish(end)
    if (finished.finished || finished.status !== 'cancelled') return
    await db.runs.settleCancelled({
      ...end,
      status: 'cancelled',
      events: [eventOf(seq + 1, 'RunCancelled')],
    })
  }

  describe('jobs whose workers crash, sleep and are cancelled', () => {
    it('end once, with every step committed once and one end in a log without gaps', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const runs = await Promise.all(Array.from({ length: 40 }, () => jobOn(db, tenant)))
      const byId = new Map<string, NewRun>(runs.map((run) => [run.runId, run]))
      const turns: Promise<unknown>[] = []
      for (let round = 0; round < 12; round += 1) {
        const mortal = round < 9
        const swept = await Promise.all([1, 2].map(() => db.jobs.sweep(PATIENT)))
        for (const { runId, slice } of swept.flat()) {
          const run = byId.get(runId)
          if (run) for (const workerId of WORKERS) turns.push(turn(run, slice, workerId, mortal))
        }
        const unlucky = runs[round * 3]
        if (unlucky) turns.push(db.runs.cancel(tenant.scope, targetOf(unlucky)))
        if (!mortal) await Promise.all(turns)
        // Dispatched but unclaimed jobs are due in 10 seconds.
        await driver().execute(
          `update runs set dispatch_due_at = now() where organization_id = $1::uuid and dispatch_due_at > now()`,
          [tenant.organizationId],
        )
      }
      await Promise.all(turns)
      const statuses = new Set<string>()
      for (const run of runs) {
        const record = await db.runs.find(tenant.scope, targetOf(run))
        if (record) statuses.add(record.status)
        expect(['completed', 'failed', 'cancelled']).toContain(record?.status)
        const log = await db.runs.eventsAfter(run.runId, 0)
        expect(log.map((row) => row.seq)).toEqual(log.map((_, i) => i + 1))
        const steps = log.map((row) => row.event).filter((name) => name.startsWith('Step-'))
        expect(new Set(steps).size).toBe(steps.length)
        expect(await rowsWhere(driver(), 'usage_records', 'run_id', run.runId)).toHaveLength(steps.length)
        const ends = log.map((row) => row.event).filter((name) => name.startsWith('Run'))
        const end = { completed: 'RunCompleted', failed: 'RunError', cancelled: 'RunCancelled' }
        expect(ends).toEqual([end[record?.status as keyof typeof end]])
        expect(log.at(-1)?.event).toBe(ends[0])
        if (record?.status === 'completed') expect(steps).toHaveLength(STEPS.length)
      }
      expect(statuses.size).toBeGreaterThan(1)
    })
  })

  it('a batch of events concurrent with a takeover waits for it and is dropped', async () => {
    const db = subject()
    const tenant = await createTenant(db)
    const run = await jobOn(db, tenant)
    const { fence } = await claimed(db, run)
    const batch = await driver().transaction(async (client) => {
      const text = 'update runs set slice = slice + 1 where id = $1::uuid'
      await client.query({ name: 'take_over', text }, [run.runId])
      const appended = db.runs.appendEvents(run.runId, tenant.organizationId, [eventOf(1)], fence)
      await pause(100)
      return { appended }
    })
    await batch.appended
    expect(await db.runs.eventsAfter(run.runId, 0)).toEqual([])
  })
}
