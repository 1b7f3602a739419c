import { describe, expect, it } from 'vitest'
import type { SqlClient } from '../../src/sql/client/sql-client.ts'
import type { Subject } from './tenant.ts'
import {
  accepted,
  claimed,
  commit,
  DONE,
  earlier,
  newWorkflowRunId,
  nodeRun,
  publisher,
  RUNNING,
  recordOf,
  rowOf,
  runningNode,
  sweptSlice,
  WAITING,
  yielded,
} from './workflow-builders.ts'

export function workflowCancelsContract(subject: Subject, client: () => SqlClient): void {
  describe('a cancel of a workflow run', () => {
    it('ends it in every state in flight, once, frees its slot and notifies every process', async () => {
      const db = subject()
      const from = await publisher(db, { ceiling: 4 })
      const { scope } = from.tenant
      const runs = await Promise.all(Array.from({ length: 4 }, () => accepted(db, from, { waiter: 's' })))
      const [queued, running, waiting, paused] = runs as [
        (typeof runs)[0],
        (typeof runs)[0],
        (typeof runs)[0],
        (typeof runs)[0],
      ]
      await claimed(db, running)
      await commit(db, await claimed(db, waiting), WAITING)
      await claimed(db, paused)
      await db.workflowRuns.pause(scope, paused.runId)
      const heard: unknown[] = []
      const unsubscribe = db.signals.subscribe((signal) => heard.push(signal))
      for (const run of [queued, running, waiting, paused]) {
        const { runId } = run
        expect(await db.workflowRuns.cancel(scope, runId)).toEqual({ cancelled: true, status: 'cancelled' })
        expect(await db.workflowRuns.cancel(scope, runId)).toEqual({ cancelled: false, status: 'cancelled' })
        expect(await recordOf(db, from, run)).toMatchObject({
          status: 'cancelled',
          statusReason: null,
          output: null,
          error: null,
          completedAt: expect.any(Number),
        })
        await expect.poll(() => heard).toContainEqual({ kind: 'workflow_run_cancelled', runId })
        await expect.poll(() => heard).toContainEqual({ kind: 'workflow_run_ended', runId })
        await accepted(db, from)
      }
      unsubscribe()
      expect(await db.workflowRuns.claim({ runId: queued.runId, slice: 0 }, 'w', 30)).toBeNull()
    })

    it('is null outside the scope', async () => {
      const db = subject()
      const from = await publisher(db)
      const { scope, organizationId, projectA, projectB } = from.tenant
      const other = await publisher(db)
      const shared = await accepted(db, from)
      const { workflowRuns } = db
      for (const foreign of [other.tenant.scope, { organizationId, projectId: projectA }]) {
        expect(await workflowRuns.cancel(foreign, shared.runId)).toBeNull()
        expect(await workflowRuns.pause(foreign, shared.runId)).toBeNull()
        expect(await workflowRuns.resume(foreign, shared.runId)).toBeNull()
        expect(await workflowRuns.find(foreign, shared.runId)).toBeNull()
        expect(await workflowRuns.nodes(foreign, shared.runId, { page: 1, limit: 1 })).toBeNull()
      }
      expect(await workflowRuns.cancel(scope, newWorkflowRunId())).toBeNull()
      await db.transaction(({ write }) => write.workflows.update({ ...from.workflow, projectId: projectA }))
      const owned = await accepted(db, from)
      expect(await workflowRuns.find({ organizationId, projectId: projectB }, owned.runId)).toBeNull()
      const own = { organizationId, projectId: projectA }
      expect(await workflowRuns.cancel(own, owned.runId)).toMatchObject({ cancelled: true })
      expect(await workflowRuns.cancel(scope, shared.runId)).toMatchObject({ cancelled: true })
    })

    it('is settled with the trace once, by the worker that owned the run', async () => {
      const db = subject()
      const from = await publisher(db)
      const { scope } = from.tenant
      const run = await accepted(db, from)
      const taken = await claimed(db, run)
      await commit(db, taken, RUNNING, { nodeRuns: [runningNode('a')] })
      const settle = (output: unknown, fence = taken.fence) =>
        db.workflowRuns.settleCancelled(fence, [nodeRun('a', { status: 'failed', output })])
      await settle('too early')
      await db.workflowRuns.cancel(scope, run.runId)
      expect(await commit(db, taken, DONE)).toEqual({ kind: 'lost', status: 'cancelled' })
      await settle('not mine', { ...taken.fence, workerId: 'other' })
      await settle('not now', { ...taken.fence, slice: 1 })
      await settle('partial')
      await settle('twice')
      const nodes = await db.workflowRuns.nodes(scope, run.runId, { page: 1, limit: 10 })
      expect(nodes?.rows).toMatchObject([{ output: 'partial' }])
      expect(await rowOf(client(), run)).toMatchObject({ status: 'cancelled', lease_until: null })
    })
  })

  describe('a failed dispatch', () => {
    it('fails a run without a worker, and fences off the delivery that arrives late', async () => {
      const db = subject()
      const from = await publisher(db)
      const [run, taken] = [await accepted(db, from), await accepted(db, from)]
      const error = 'The workflow engine could not be reached.'
      await claimed(db, taken)
      expect(await db.workflowRuns.failDispatch(taken.runId, error)).toBe(false)
      expect(await db.workflowRuns.failDispatch(run.runId, error)).toBe(true)
      expect(await recordOf(db, from, run)).toMatchObject({
        status: 'failed',
        error,
        startedAt: null,
        completedAt: expect.any(Number),
      })
      expect(await db.workflowRuns.claim({ runId: run.runId, slice: 0 }, 'w', 30)).toBeNull()
    })
  })

  describe('a paused workflow run', () => {
    it('was running or waiting, and has the person who paused it', async () => {
      const db = subject()
      const from = await publisher(db)
      const { scope } = from.tenant
      const run = await accepted(db, from)
      const { pause, resume } = db.workflowRuns
      expect(await pause(scope, run.runId)).toEqual({ paused: false, status: 'queued' })
      await claimed(db, run)
      expect(await resume(scope, run.runId)).toEqual({ resumed: false, status: 'running', delivery: null })
      expect(await pause(scope, run.runId)).toEqual({ paused: true, status: 'paused' })
      expect(await pause(scope, run.runId)).toEqual({ paused: false, status: 'paused' })
      expect(await recordOf(db, from, run)).toMatchObject({
        status: 'paused',
        statusReason: 'paused by a person',
        completedAt: null,
      })
    })

    it('commits work in progress, starts nothing, and continues with another turn', async () => {
      const db = subject()
      const from = await publisher(db)
      const { scope } = from.tenant
      const run = await accepted(db, from)
      const taken = await claimed(db, run)
      await db.workflowRuns.pause(scope, run.runId)
      expect(await commit(db, taken, RUNNING, { nodeRuns: [nodeRun('a')] })).toEqual({ kind: 'paused' })
      expect(await commit(db, taken, DONE, { nodeRuns: [nodeRun('b', { seq: 2 })] })).toEqual({
        kind: 'paused',
      })
      expect(await recordOf(db, from, run)).toMatchObject({ status: 'paused', output: null })
      expect(await rowOf(client(), run)).toMatchObject({ lease_until: null, dispatch_due_at: null, slice: 0 })
      expect(await commit(db, taken, RUNNING)).toEqual({ kind: 'lost', status: 'paused' })
      await earlier(client(), run, 3_600)
      expect(await sweptSlice(db, run)).toBeNull()
      expect(await db.workflowRuns.claim({ runId: run.runId, slice: 0 }, 'w', 30)).toBeNull()
      expect(await db.workflowRuns.resume(scope, run.runId)).toEqual({
        resumed: true,
        status: 'running',
        delivery: { lane: 'workflows', runId: run.runId, slice: 1 },
      })
      expect(await sweptSlice(db, run)).toBe(1)
      const again = await claimed(db, run, { slice: 1 })
      expect(again.nodeRuns.map(({ nodeId }) => nodeId)).toEqual(['a', 'b'])
    })

    it('that only waited for people keeps waiting when it is resumed', async () => {
      const db = subject()
      const from = await publisher(db)
      const { scope } = from.tenant
      const [before, meanwhile] = [await accepted(db, from), await accepted(db, from)]
      await commit(db, await claimed(db, before), WAITING)
      const taken = await claimed(db, meanwhile)
      for (const run of [before, meanwhile]) await db.workflowRuns.pause(scope, run.runId)
      expect(await commit(db, taken, WAITING)).toEqual({ kind: 'paused' })
      for (const run of [before, meanwhile]) {
        expect(await db.workflowRuns.resume(scope, run.runId)).toEqual({
          resumed: true,
          status: 'awaiting_approval',
          delivery: null,
        })
        expect((await recordOf(db, from, run)).statusReason).toBe(WAITING.statusReason)
        expect(await sweptSlice(db, run)).toBeNull()
      }
    })

    it('that is resumed while its worker still owns it continues there', async () => {
      const db = subject()
      const from = await publisher(db)
      const { scope } = from.tenant
      const run = await accepted(db, from)
      const taken = await claimed(db, run)
      await db.workflowRuns.pause(scope, run.runId)
      expect(await commit(db, taken, RUNNING)).toEqual({ kind: 'paused' })
      expect(await db.workflowRuns.resume(scope, run.runId)).toEqual({
        resumed: true,
        status: 'running',
        delivery: null,
      })
      // A worker that has seen the pause releases the run, which makes the next turn due.
      expect(await commit(db, taken, yielded())).toEqual({ kind: 'committed', status: 'running', slice: 1 })
    })

    it('loses its worker without a counted loss, and a resume before that is a new turn', async () => {
      const db = subject()
      const from = await publisher(db)
      const { scope } = from.tenant
      const [swept, resumed] = [await accepted(db, from), await accepted(db, from)]
      for (const run of [swept, resumed]) {
        await claimed(db, run, { leaseSeconds: -1 })
        await db.workflowRuns.pause(scope, run.runId)
      }
      expect((await db.workflowRuns.resume(scope, resumed.runId))?.delivery?.slice).toBe(1)
      expect(await sweptSlice(db, swept)).toBeNull()
      expect(await rowOf(client(), swept)).toMatchObject({ status: 'paused', lease_until: null, losses: 0 })
      expect((await db.workflowRuns.resume(scope, swept.runId))?.delivery?.slice).toBe(1)
    })

    it('between two turns is not claimed by the delivery of the turn that was due', async () => {
      const db = subject()
      const from = await publisher(db)
      const run = await accepted(db, from)
      await commit(db, await claimed(db, run), yielded())
      await db.workflowRuns.pause(from.tenant.scope, run.runId)
      expect(await db.workflowRuns.claim({ runId: run.runId, slice: 1 }, 'w', 30)).toBeNull()
      await db.workflowRuns.resume(from.tenant.scope, run.runId)
      expect(await db.workflowRuns.claim({ runId: run.runId, slice: 1 }, 'w', 30)).toBeNull()
      await claimed(db, run, { slice: 2 })
    })
  })
}
