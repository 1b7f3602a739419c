import type { WorkflowRunId } from '@troupe/contract'
import { describe, expect, it } from 'vitest'
import type { SqlClient } from '../../src/sql/client/sql-client.ts'
import type { Subject } from './tenant.ts'
import {
  accepted,
  claimed,
  commit,
  DONE,
  earlier,
  nodeRun,
  PATIENT,
  type Publisher,
  publisher,
  RUNNING,
  recordOf,
  rowOf,
  runningNode,
  sweptSlice,
  WAITING,
  yielded,
} from './workflow-builders.ts'

export function workflowSweepContract(subject: Subject, client: () => SqlClient): void {
  const expectFailed = async (from: Publisher, run: { runId: WorkflowRunId }, error: string) => {
    const db = subject()
    expect(await recordOf(db, from, run)).toMatchObject({
      status: 'failed',
      error,
      output: null,
      completedAt: expect.any(Number),
    })
    expect(await rowOf(client(), run)).toMatchObject({ lease_until: null, dispatch_due_at: null })
    expect(await sweptSlice(db, run)).toBeNull()
  }
  const dispatched = (run: { runId: WorkflowRunId }, slice = 0, seconds = 60) =>
    subject().workflowRuns.dispatched({ runId: run.runId, slice }, seconds)

  describe('the sweep of workflow runs', () => {
    it('dispatches unclaimed runs, again every 10 seconds', async () => {
      const db = subject()
      const run = await accepted(db, await publisher(db))
      const deliveries = await db.workflowRuns.sweep(PATIENT)
      expect(deliveries).toContainEqual({ lane: 'workflows', runId: run.runId, slice: 0 })
      expect(await sweptSlice(db, run)).toBeNull()
      await earlier(client(), run, 11)
      expect(await sweptSlice(db, run)).toBe(0)
    })

    it('dispatches again what an engine accepted only after a long time without a claim', async () => {
      const db = subject()
      const run = await accepted(db, await publisher(db))
      await dispatched(run)
      await earlier(client(), run, 55)
      expect(await sweptSlice(db, run)).toBeNull()
      await earlier(client(), run, 6)
      expect(await sweptSlice(db, run)).toBe(0)
      await claimed(db, run)
      // The engine answers late: the delivery is already claimed, and must not become due again.
      await dispatched(run, 0, -60)
      expect(await rowOf(client(), run)).toMatchObject({ dispatch_due_at: null })
    })

    it('dispatches a postponed turn at its time, whether an engine has it or not', async () => {
      const db = subject()
      const from = await publisher(db)
      for (const isDispatched of [false, true]) {
        const run = await accepted(db, from)
        const dueAt = Date.now() + 600_000
        await commit(db, await claimed(db, run), { status: 'yielded', dueAt })
        if (isDispatched) await dispatched(run, 1)
        await earlier(client(), run, 595)
        expect(await sweptSlice(db, run)).toBeNull()
        await earlier(client(), run, isDispatched ? 70 : 10)
        expect(await sweptSlice(db, run)).toBe(1)
      }
    })

    it('by three concurrent processes passes each delivery to one of them', async () => {
      const db = subject()
      const from = await publisher(db, { ceiling: 100 })
      const runs = await Promise.all(Array.from({ length: 60 }, () => accepted(db, from)))
      const swept = await Promise.all([1, 2, 3].map(() => db.workflowRuns.sweep(PATIENT)))
      const ids = new Set<string>(runs.map((run) => run.runId))
      const mine = swept.flat().filter((one) => ids.has(one.runId))
      expect(mine.map((one) => one.runId).toSorted()).toEqual([...ids].toSorted())
    })

    it('dispatches more than fit into one statement', async () => {
      const db = subject()
      const run = await accepted(db, await publisher(db))
      const columns = `organization_id, workflow_id, deployment_id, version_id, source, status, input, variables,
        dispatch_due_at, created_at`
      const copied = await client().query<{ id: string }>(
        {
          name: 'copy_workflow_run',
          text: `insert into workflow_runs (id, ${columns}) select gen_random_uuid(), ${columns}
            from workflow_runs, generate_series(1, 1100) where id = $1::uuid returning id`,
        },
        [run.runId],
      )
      const ids = new Set(copied.map((row) => row.id))
      const swept = (await db.workflowRuns.sweep(PATIENT)).filter((one) => ids.has(one.runId))
      expect(new Set(swept.map((one) => one.runId)).size).toBe(1_100)
      expect(swept).toHaveLength(1_100)
      const text =
        'delete from workflow_runs where workflow_id in (select workflow_id from workflow_runs where id = $1::uuid)'
      await client().query({ name: 'drop_workflow_copies', text }, [run.runId])
    })

    it('fails a run that no engine accepted for 60 seconds, and notifies a waiting caller', async () => {
      const db = subject()
      const from = await publisher(db)
      const createdAt = Date.now() - 61_000
      const run = await accepted(db, from, { createdAt, waiter: 'server-1' })
      const taken = await accepted(db, from, { createdAt })
      await dispatched(taken)
      const heard: unknown[] = []
      const unsubscribe = db.signals.subscribe((signal) => heard.push(signal))
      expect(await sweptSlice(db, run, { dispatchSeconds: 60 })).toBeNull()
      await expect.poll(() => heard).toContainEqual({ kind: 'workflow_run_ended', runId: run.runId })
      unsubscribe()
      await expectFailed(from, run, 'The workflow engine could not be reached for 60 seconds.')
      expect((await recordOf(db, from, run)).startedAt).toBeNull()
      expect((await recordOf(db, from, taken)).status).toBe('queued')
    })

    it('first retries runs that no process could dispatch during an outage', async () => {
      const db = subject()
      const from = await publisher(db)
      const run = await accepted(db, from)
      await earlier(client(), run, 600)
      expect(await sweptSlice(db, run, { dispatchSeconds: 60 })).toBe(0)
      await earlier(client(), run, 10)
      expect(await sweptSlice(db, run, { dispatchSeconds: 60 })).toBeNull()
      expect((await recordOf(db, from, run)).status).toBe('failed')
    })

    it('fails a run that an engine accepted and no worker started in time', async () => {
      const db = subject()
      const from = await publisher(db)
      for (const [queueSeconds, minutes] of [
        [900, '15'],
        [90, '1.5'],
      ] as const) {
        const run = await accepted(db, from)
        await dispatched(run)
        await earlier(client(), run, queueSeconds - 1)
        await dispatched(run)
        expect(await sweptSlice(db, run, { queueSeconds })).toBeNull()
        expect((await recordOf(db, from, run)).status).toBe('queued')
        await earlier(client(), run, 2)
        expect(await sweptSlice(db, run, { queueSeconds })).toBeNull()
        await expectFailed(from, run, `No worker picked the run up within ${minutes} minutes.`)
      }
    })

    it('does not touch runs that a worker owns or that wait for people', async () => {
      const db = subject()
      const from = await publisher(db)
      const [running, waiting] = [await accepted(db, from), await accepted(db, from)]
      await claimed(db, running)
      await commit(db, await claimed(db, waiting), WAITING)
      await earlier(client(), waiting, 100 * 24 * 3_600)
      const rows = async () => [await rowOf(client(), running), await rowOf(client(), waiting)]
      const before = await rows()
      for (const run of [running, waiting]) {
        expect(await sweptSlice(db, run, { dispatchSeconds: 1, queueSeconds: 1 })).toBeNull()
      }
      expect(await rows()).toEqual(before)
    })

    it('voids an expired lease and dispatches the next turn', async () => {
      const db = subject()
      const run = await accepted(db, await publisher(db))
      const lost = await claimed(db, run, { leaseSeconds: -1 })
      expect(await sweptSlice(db, run)).toBe(1)
      expect(await rowOf(client(), run)).toMatchObject({ status: 'running', losses: 1, worker_id: null })
      expect(await commit(db, lost, DONE)).toEqual({ kind: 'lost', status: 'running' })
      expect(await db.workflowRuns.claim({ runId: run.runId, slice: 0 }, 'w', 30)).toBeNull()
      await claimed(db, run, { slice: 1 })
    })

    it('fails a run whose third worker was lost at a node, and names the node, not the Loop around it', async () => {
      const db = subject()
      const from = await publisher(db)
      const run = await accepted(db, from)
      const nodeRuns = [
        runningNode('l_op', { seq: 1, input: { mode: 'count' } }),
        nodeRun('a', { path: 'l_op[0]', seq: 2 }),
        runningNode('call', { path: 'l_op[0]', seq: 3 }),
        runningNode('beside', { seq: 4 }),
        nodeRun('review', { seq: 5, status: 'waiting' }),
      ]
      for (const slice of [0, 1, 2, 3]) {
        const taken = await claimed(db, run, { slice, leaseSeconds: -1 })
        // Progress in the second turn: its loss is the first of three.
        if (slice < 2) await commit(db, taken, RUNNING, { nodeRuns })
        expect(await sweptSlice(db, run)).toBe(slice < 3 ? slice + 1 : null)
      }
      const lost = 'the worker running it was lost 3 times'
      await expectFailed(from, run, `Node call in l_op[0] failed: ${lost}; Node beside failed: ${lost}`)
      const trace = await db.workflowRuns.nodes(from.tenant.scope, run.runId, { page: 1, limit: 10 })
      expect(trace?.rows.map(({ nodeId, status, error }) => [nodeId, status, error])).toEqual([
        ['l_op', 'running', null],
        ['a', 'completed', null],
        ['call', 'failed', lost],
        ['beside', 'failed', lost],
        ['review', 'waiting', null],
      ])
    })

    it('restarts the count of losses when a node made progress, not when one started again', async () => {
      const db = subject()
      const from = await publisher(db)
      const run = await accepted(db, from)
      for (const slice of [0, 1, 2, 3, 4]) {
        const taken = await claimed(db, run, { slice, leaseSeconds: -1 })
        const node = slice === 1 ? nodeRun('a') : runningNode('b', { attempt: slice + 1 })
        await commit(db, taken, RUNNING, { nodeRuns: [node] })
        expect(await sweptSlice(db, run)).toBe(slice < 3 ? slice + 1 : null)
        if (slice === 3) break
      }
      const lost = 'the worker running it was lost 3 times'
      await expectFailed(from, run, `Node b failed: ${lost}`)
      const other = await accepted(db, from)
      for (const slice of [0, 1, 2]) {
        await claimed(db, other, { slice, leaseSeconds: -1 })
        await sweptSlice(db, other)
      }
      await expectFailed(from, other, 'The worker of this run was lost 3 times.')
    })

    it('makes a run due that has neither a lease nor a due time', async () => {
      const db = subject()
      const run = await accepted(db, await publisher(db))
      await commit(db, await claimed(db, run), yielded())
      const text = 'update workflow_runs set dispatch_due_at = null where id = $1::uuid'
      await client().query({ name: 'forget_workflow_due', text }, [run.runId])
      expect(await sweptSlice(db, run)).toBeNull()
      await earlier(client(), run, 11)
      expect(await sweptSlice(db, run)).toBe(1)
    })
  })

  describe('after a boot, of workflow runs', () => {
    it('no lease and no queue of an earlier process is valid; pauses and reviews are kept', async () => {
      const db = subject()
      const from = await publisher(db)
      const { scope } = from.tenant
      const runs = await Promise.all(Array.from({ length: 5 }, () => accepted(db, from)))
      const [running, queued, between, paused, waiting] = runs as [
        (typeof runs)[0],
        (typeof runs)[0],
        (typeof runs)[0],
        (typeof runs)[0],
        (typeof runs)[0],
      ]
      const taken = await claimed(db, running)
      await dispatched(queued)
      await commit(db, await claimed(db, between), yielded())
      await dispatched(between, 1)
      await claimed(db, paused)
      await db.workflowRuns.pause(scope, paused.runId)
      await commit(db, await claimed(db, waiting), WAITING)
      await db.workflowRuns.recover()
      const due = await db.workflowRuns.sweep(PATIENT)
      const mine = due.filter(({ runId }) => runs.some((run) => run.runId === runId))
      expect(mine.toSorted((a, b) => a.slice - b.slice || a.runId.localeCompare(b.runId))).toEqual(
        [
          { lane: 'workflows', runId: queued.runId, slice: 0 },
          { lane: 'workflows', runId: running.runId, slice: 1 },
          { lane: 'workflows', runId: between.runId, slice: 1 },
        ].toSorted((a, b) => a.slice - b.slice || a.runId.localeCompare(b.runId)),
      )
      expect(await commit(db, taken, DONE)).toMatchObject({ kind: 'lost' })
      expect(await rowOf(client(), between)).toMatchObject({ losses: 0 })
      expect(await rowOf(client(), paused)).toMatchObject({ status: 'paused', lease_until: null, slice: 0 })
      expect(await rowOf(client(), waiting)).toMatchObject({ status: 'awaiting_approval', slice: 0 })
    })

    it('a run that crashed three processes has failed', async () => {
      const db = subject()
      const from = await publisher(db)
      const run = await accepted(db, from)
      for (const slice of [0, 1, 2]) {
        const taken = await claimed(db, run, { slice })
        await commit(db, taken, RUNNING, { nodeRuns: [runningNode('a')] })
        await db.workflowRuns.recover()
      }
      await expectFailed(from, run, 'Node a failed: the worker running it was lost 3 times')
    })
  })
}
