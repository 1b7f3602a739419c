import type { NewRun } from '@troupe/agents/ports'
import { describe, expect, it } from 'vitest'
import type { SqlClient } from '../../src/sql/client/sql-client.ts'
import { claimed as claimedJob, jobOn, stepOf, sweptSlice as sweptJob } from './job-builders.ts'
import { runOn, sessionOf, targetOf } from './run-builders.ts'
import { createTenant, type Subject } from './tenant.ts'
import {
  accepted,
  claimed,
  commit,
  DONE,
  earlier,
  nodeRun,
  type Publisher,
  publisher,
  RUNNING,
  recordOf,
  runningNode,
  sweptSlice,
  WAITING,
  yielded,
} from './workflow-builders.ts'

const LOST = { leaseSeconds: -1 }

export function workflowTakeoversContract(subject: Subject, client: () => SqlClient): void {
  describe('a worker that takes over a run from itself', () => {
    it('of a workflow shares no fence with its earlier work', async () => {
      const db = subject()
      const run = await accepted(db, await publisher(db))
      const before = await claimed(db, run, LOST)
      await commit(db, before, RUNNING, { nodeRuns: [runningNode('a')] })
      const after = await claimed(db, run)
      expect(after.fence).toEqual({ ...before.fence, slice: before.fence.slice + 1 })
      for (const to of [RUNNING, DONE, WAITING, yielded()]) {
        expect(await commit(db, before, to, { nodeRuns: [nodeRun('a', { output: 'late' })] })).toEqual({
          kind: 'lost',
          status: 'running',
        })
      }
      expect(await db.workflowRuns.reload(before.fence)).toBeNull()
      const nodeRuns = [nodeRun('a', { output: 'in time' })]
      expect(await commit(db, after, yielded(), { nodeRuns })).toMatchObject({ kind: 'committed', slice: 2 })
      expect((await claimed(db, run, { slice: 2 })).nodeRuns).toMatchObject([{ output: 'in time' }])
    })

    it('as a job shares no fence with its earlier work', async () => {
      const db = subject()
      const job = await jobOn(db, await createTenant(db))
      const before = await claimedJob(db, job, LOST)
      const after = await claimedJob(db, job)
      expect(after.fence).toEqual({ ...before.fence, slice: before.fence.slice + 1 })
      expect(await db.jobs.commitStep(stepOf(job, before.fence))).toBe(false)
      expect(await db.jobs.yield(job.runId, before.fence)).toBeNull()
      expect(await db.jobs.commitStep(stepOf(job, after.fence))).toBe(true)
    })

    it('counts as a lost worker like any other: the third loss is the last', async () => {
      const db = subject()
      const from = await publisher(db)
      const run = await accepted(db, from)
      const job = await jobOn(db, from.tenant)
      for (const slice of [0, 1, 2]) {
        const delivery = Math.max(0, slice - 1)
        await claimed(db, run, { slice: delivery, ...LOST })
        await claimedJob(db, job, { slice: delivery, ...LOST })
      }
      expect(await db.workflowRuns.claim({ runId: run.runId, slice: 2 }, 'w', 30)).toBeNull()
      expect(await db.jobs.claim({ runId: job.runId, slice: 2 }, 'w', 30)).toBeNull()
      expect(await sweptSlice(db, run)).toBeNull()
      expect(await sweptJob(db, job)).toBeNull()
      expect(await recordOf(db, from, run)).toMatchObject({
        status: 'failed',
        error: 'The worker of this run was lost 3 times.',
      })
      expect(await db.runs.find(from.tenant.scope, targetOf(job))).toMatchObject({ status: 'failed' })
    })
  })

  it("a pause before the commit of a node's start leaves no row of it, and the next turn starts it", async () => {
    const db = subject()
    const from = await publisher(db)
    const run = await accepted(db, from)
    const taken = await claimed(db, run)
    await db.workflowRuns.pause(from.tenant.scope, run.runId)
    const { fence, organizationId } = taken
    const rows = {
      waiter: null,
      variables: null,
      nodeRuns: [nodeRun('a')],
      starting: [runningNode('b', { seq: 2 })],
      iterations: [],
    }
    expect(await db.workflowRuns.commit({ fence, organizationId, to: RUNNING, ...rows })).toEqual({
      kind: 'paused',
    })
    expect(await commit(db, taken, yielded())).toEqual({ kind: 'paused' })
    await db.workflowRuns.resume(from.tenant.scope, run.runId)
    const again = await claimed(db, run, { slice: 1 })
    expect(again.nodeRuns.map(({ nodeId }) => nodeId)).toEqual(['a'])
    expect(
      await db.workflowRuns.commit({ fence: again.fence, organizationId, to: RUNNING, ...rows }),
    ).toMatchObject({ kind: 'committed' })
  })

  it('a node that waits for its next try is read back with its retry time', async () => {
    const db = subject()
    const run = await accepted(db, await publisher(db))
    const node = runningNode('a', { attempt: 2, retry: 2, retryAt: 1_800_000_060_000 })
    await commit(db, await claimed(db, run), yielded(), { nodeRuns: [node] })
    expect((await claimed(db, run, { slice: 1 })).nodeRuns).toEqual([node])
  })

  it('the end of a run is signalled to a caller that waits in another process, and to no other', async () => {
    const db = subject()
    const from = await publisher(db)
    const heard: string[] = []
    const unsubscribe = db.signals.subscribe((signal) => {
      if (signal.kind === 'workflow_run_ended') heard.push(signal.runId)
    })
    const runs = await Promise.all(['w', null, 'elsewhere'].map((waiter) => accepted(db, from, { waiter })))
    for (const run of runs) await commit(db, await claimed(db, run), DONE)
    await expect.poll(() => heard).toContain(runs[2]?.runId)
    unsubscribe()
    // Notifications arrive in the order of their commits.
    expect(heard.filter((id) => runs.some(({ runId }) => runId === id))).toEqual([runs[2]?.runId])
  })

  describe('the runs of a workflow’s nodes', () => {
    async function withChild(from: Publisher, { started = true } = {}) {
      const db = subject()
      const run = await accepted(db, from)
      await claimed(db, run)
      const child = runOn(from.tenant, sessionOf(from.tenant), {
        source: 'workflow',
        workflowRunId: run.runId,
      })
      await db.runs.start(child)
      if (started) await db.jobs.claimChild(child.runId, 'w', 30)
      return { run, child }
    }
    const statusOf = async (from: Publisher, child: NewRun) =>
      (await subject().runs.find(from.tenant.scope, targetOf(child)))?.status
    const dies = (child: NewRun) =>
      client().query(
        {
          name: 'let_a_lease_expire',
          text: `update runs set lease_until = now() - interval '1 s' where id = $1::uuid`,
        },
        [child.runId],
      )

    it('continue with their workflow, however often its worker is lost', async () => {
      const db = subject()
      const from = await publisher(db)
      const { run, child } = await withChild(from)
      const queued = await withChild(from, { started: false })
      await dies(child)
      await earlier(client(), run, 31)
      await sweptSlice(db, run)
      await db.workflowRuns.endOrphans()
      expect(await statusOf(from, child)).toBe('running')
      expect(await statusOf(from, queued.child)).toBe('queued')
      expect(await db.jobs.claimChild(child.runId, 'heir', 30)).not.toBeNull()
    })

    it('are left to a live worker, and ended once if it is lost', async () => {
      const db = subject()
      const from = await publisher(db)
      const { run, child } = await withChild(from)
      await db.workflowRuns.cancel(from.tenant.scope, run.runId)
      await db.workflowRuns.endOrphans()
      expect(await statusOf(from, child)).toBe('running')
      await dies(child)
      const heard: unknown[] = []
      const unsubscribe = db.signals.subscribe((signal) => heard.push(signal))
      const ended = await Promise.all([1, 2, 3].map(() => db.workflowRuns.endOrphans()))
      expect(ended.reduce((sum, count) => sum + count, 0)).toBe(1)
      await expect.poll(() => heard).toContainEqual({ kind: 'run_cancelled', runId: child.runId })
      unsubscribe()
      expect(await db.runs.find(from.tenant.scope, targetOf(child))).toMatchObject({
        status: 'cancelled',
        completedAt: expect.any(Number),
      })
      expect((await db.runs.eventsAfter(child.runId, 0)).map(({ event }) => event)).toEqual(['RunCancelled'])
      expect(await db.jobs.claimChild(child.runId, 'w', 30)).toBeNull()
    })

    it('that were written and never started end with their workflow', async () => {
      const db = subject()
      const from = await publisher(db)
      const { run, child } = await withChild(from, { started: false })
      await db.workflowRuns.cancel(from.tenant.scope, run.runId)
      await db.workflowRuns.endOrphans()
      expect(await statusOf(from, child)).toBe('cancelled')
    })

    it('end when the watchdog has ended their workflow', async () => {
      const db = subject()
      const from = await publisher(db)
      const { run, child } = await withChild(from)
      for (const slice of [1, 2]) {
        await earlier(client(), run, 31)
        await sweptSlice(db, run)
        await claimed(db, run, { slice })
      }
      await earlier(client(), run, 31)
      await sweptSlice(db, run)
      expect((await recordOf(db, from, run)).status).toBe('failed')
      await dies(child)
      await db.workflowRuns.endOrphans()
      expect(await statusOf(from, child)).toBe('cancelled')
    })

    it('end after a minute even if owned by an unaware worker, which may still add its texts', async () => {
      const db = subject()
      const from = await publisher(db)
      const { run, child } = await withChild(from)
      await db.workflowRuns.cancel(from.tenant.scope, run.runId)
      await earlier(client(), run, 61)
      await db.workflowRuns.endOrphans()
      expect(await statusOf(from, child)).toBe('cancelled')
      expect(await db.jobs.ended('w', [child.runId])).toEqual([{ runId: child.runId, reason: 'cancel' }])
      expect(await db.runs.eventsAfter(child.runId, 0)).toEqual([])
    })
  })
}
