import { newId, RunId } from '@troupe/contract'
import type { Signal } from '@troupe/durable-work'
import { describe, expect, it } from 'vitest'
import type { SqlClient } from '../../src/sql/client/sql-client.ts'
import { rowsWhere } from './inspect.ts'
import type { Subject } from './tenant.ts'
import {
  accepted,
  claimed,
  commit,
  DONE,
  newWorkflowRunId,
  nodeRun,
  publisher,
  RUNNING,
  recordOf,
  rowOf,
  runningNode,
  WAITING,
  yielded,
} from './workflow-builders.ts'

export function workflowTurnsContract(subject: Subject, client: () => SqlClient): void {
  const wake = (runId: string) =>
    client().query(
      { name: 'wake_run', text: 'update workflow_runs set wake = true where id = $1::uuid returning id' },
      [runId],
    )

  describe('a claim of a workflow run', () => {
    it('takes a queued run once, with all fields of its row', async () => {
      const db = subject()
      const from = await publisher(db)
      const run = await accepted(db, from, { waiter: 'server-1', source: 'api_sync' })
      const taken = await claimed(db, run, { workerId: 'w1' })
      expect(taken).toEqual({
        fence: { runId: run.runId, workerId: 'w1', slice: 0 },
        organizationId: from.tenant.organizationId,
        projectId: null,
        workflowId: from.workflow.id,
        versionId: from.versionId,
        source: 'api_sync',
        firedNodeId: null,
        input: run.input,
        variables: {},
        apiKeyId: from.tenant.apiKeyId,
        waiter: 'server-1',
        createdAt: run.createdAt,
        startedAt: expect.any(Number),
        nodeRuns: [],
        iterations: [],
        lastSeq: 0,
        storedBytes: 0,
        test: null,
      })
      expect(await recordOf(db, from, run)).toMatchObject({
        status: 'running',
        statusReason: null,
        startedAt: taken.startedAt,
      })
      expect(await db.workflowRuns.claim({ runId: run.runId, slice: 0 }, 'w1', 30)).toBeNull()
      expect(await db.workflowRuns.claim({ runId: run.runId, slice: 1 }, 'w2', 30)).toBeNull()
      expect(await db.workflowRuns.claim({ runId: newWorkflowRunId(), slice: 0 }, 'w2', 30)).toBeNull()
    })

    it('takes over an expired lease with all commits, and keeps the first start', async () => {
      const db = subject()
      const run = await accepted(db, await publisher(db))
      const lost = await claimed(db, run, { workerId: 'w1', leaseSeconds: -1 })
      const rows = [
        nodeRun('b', { seq: 2, output: { z: 1, a: [null] }, handles: ['true'], agentRunId: newId(RunId) }),
        nodeRun('loop', { seq: 3, status: 'running', input: { mode: 'count' }, completedAt: null }),
        nodeRun('a', { path: 'loop[2]', seq: 4, input: 'in', inputTokens: 3, outputTokens: 2 }),
        nodeRun('c', { seq: 1, status: 'failed', error: 'No \u0000.', handles: null, startedAt: null }),
      ]
      const iterations = [
        { path: '', nodeId: 'loop', index: 1, output: [2] },
        { path: '', nodeId: 'loop', index: 0, output: null },
      ]
      const variables = { total: 12 }
      await commit(db, lost, RUNNING, { nodeRuns: rows, iterations, variables })
      const taken = await claimed(db, run, { workerId: 'w2' })
      const [b, loop, a, c] = rows
      expect(taken.nodeRuns).toEqual([{ ...c, error: 'No \ufffd.' }, b, loop, { ...a, input: null }])
      expect(taken.iterations).toEqual([iterations[1], iterations[0]])
      expect(taken).toMatchObject({ variables, startedAt: lost.startedAt })
      expect(await commit(db, lost, DONE)).toEqual({ kind: 'lost', status: 'running' })
    })

    it('reads the current iterations of Loops, and counts the bytes of all', async () => {
      const db = subject()
      const from = await publisher(db)
      const run = await accepted(db, from)
      const loop = { status: 'running', input: { mode: 'count', count: 9 }, handles: null } as const
      const waiting = { status: 'waiting', input: { title: 'ask' }, handles: null } as const
      const live = [
        nodeRun('outer', { ...loop, seq: 1 }),
        nodeRun('a', { path: 'outer[1]', seq: 4, output: 'é' }),
        nodeRun('inner', { path: 'outer[1]', ...loop, seq: 5 }),
        nodeRun('ask', { path: 'outer[1]/inner[1]', ...waiting, seq: 9 }),
        // Another Loop at the root, already complete: its iterations are its output.
        nodeRun('over', { handles: ['done'], seq: 20 }),
      ]
      const ended = [
        nodeRun('a', { path: 'outer[0]', seq: 2, output: 1 }),
        nodeRun('inner', { path: 'outer[0]', seq: 3 }),
        nodeRun('ask', { path: 'outer[0]/inner[1]', seq: 6 }),
        nodeRun('ask', { path: 'outer[1]/inner[0]', seq: 7, input: 'x' }),
        nodeRun('b', { path: 'over[0]', seq: 31, output: { b: [] } }),
      ]
      const needed = [
        { path: '', nodeId: 'outer', index: 0, output: [true] },
        { path: '', nodeId: 'over', index: 0, output: 'o' },
        { path: 'outer[1]', nodeId: 'inner', index: 0, output: null },
      ]
      const passed = [{ path: 'outer[0]', nodeId: 'inner', index: 0, output: 'i' }]
      const nodeRuns = [...live, ...ended]
      const iterations = [...needed, ...passed]
      await commit(db, await claimed(db, run), yielded(), { nodeRuns, iterations })
      const taken = await claimed(db, run, { slice: 1 })
      expect(taken.nodeRuns).toEqual(live)
      expect(taken.iterations).toEqual(needed)
      expect(taken.lastSeq).toBe(31)
      const texts = ['"é"', '1', '{"b":[]}', '[true]', '"o"', '"i"']
      expect(taken.storedBytes).toBe(texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0))
    })
  })

  it('the trace has the output of a completed Loop, which is stored as its iterations', async () => {
    const db = subject()
    const from = await publisher(db)
    const run = await accepted(db, from)
    const taken = await claimed(db, run)
    const nodeRuns = [
      nodeRun('over', { seq: 1, handles: ['done'] }),
      nodeRun('empty', { seq: 2, output: [], handles: ['done'] }),
      nodeRun('open', { seq: 3, status: 'running', handles: null, completedAt: null }),
      nodeRun('null', { seq: 4 }),
    ]
    const iterations = ['over', 'open'].flatMap((nodeId) =>
      [1, 0].map((index) => ({ path: '', nodeId, index, output: { index } })),
    )
    await commit(db, taken, RUNNING, { nodeRuns, iterations })
    const trace = await db.workflowRuns.nodes(from.tenant.scope, run.runId, { page: 1, limit: 10 })
    expect(trace?.rows.map(({ output }) => output)).toEqual([[{ index: 0 }, { index: 1 }], [], null, null])
  })

  describe('a commit of a workflow run', () => {
    it('overwrites rows of the same node in the same frame', async () => {
      const db = subject()
      const from = await publisher(db)
      const run = await accepted(db, from)
      const taken = await claimed(db, run)
      const first = [
        runningNode('a', { seq: 1 }),
        runningNode('a', { path: 'loop[0]', seq: 2, input: 'kept' }),
      ]
      expect(await commit(db, taken, RUNNING, { nodeRuns: first })).toEqual({
        kind: 'committed',
        status: 'running',
        slice: 0,
      })
      // The same row twice in one commit: the last one counts.
      const second = [
        runningNode('a', { seq: 1, attempt: 2 }),
        nodeRun('a', { seq: 1, attempt: 2, output: 1 }),
      ]
      await commit(db, taken, RUNNING, { nodeRuns: second })
      const nodes = await db.workflowRuns.nodes(from.tenant.scope, run.runId, { page: 1, limit: 10 })
      const { versionId } = from
      const { input } = run
      expect(nodes).toEqual({ versionId, input, rows: [second[1], first[1]], total: 2 })
    })

    it.each([
      DONE,
      { status: 'failed', output: null, error: 'Node a failed: it broke.' },
      { status: 'loop_limit_reached', output: [1], error: null },
    ] as const)('ends the run as $status, once', async (to) => {
      const db = subject()
      const from = await publisher(db)
      const run = await accepted(db, from)
      const taken = await claimed(db, run)
      const outcome = await commit(db, taken, to, { nodeRuns: [nodeRun('a')] })
      expect(outcome).toEqual({ kind: 'committed', status: to.status, slice: 0 })
      const record = await recordOf(db, from, run)
      expect(record).toMatchObject({ ...to, statusReason: null, completedAt: expect.any(Number) })
      expect(await commit(db, taken, RUNNING, { nodeRuns: [nodeRun('b')] })).toEqual({
        kind: 'lost',
        status: to.status,
      })
      expect(await rowsWhere(client(), 'workflow_node_runs', 'run_id', run.runId)).toHaveLength(1)
      expect(await recordOf(db, from, run)).toEqual(record)
      expect(await db.workflowRuns.cancel(from.tenant.scope, run.runId)).toEqual({
        cancelled: false,
        status: to.status,
      })
      expect(await db.workflowRuns.pause(from.tenant.scope, run.runId)).toEqual({
        paused: false,
        status: to.status,
      })
      expect(await db.workflowRuns.resume(from.tenant.scope, run.runId)).toMatchObject({ resumed: false })
      expect(await rowOf(client(), run)).toMatchObject({ worker_id: null, lease_until: null })
    })

    it('notifies only a waiting caller, and only of the end', async () => {
      const db = subject()
      const from = await publisher(db)
      const heard: Signal[] = []
      const unsubscribe = db.signals.subscribe((signal) => heard.push(signal))
      const quiet = await accepted(db, from)
      const awaited = await accepted(db, from, { waiter: 'server-1' })
      for (const run of [quiet, awaited]) {
        const taken = await claimed(db, run)
        await commit(db, taken, RUNNING)
        await commit(db, taken, DONE)
      }
      const end = { kind: 'workflow_run_ended', runId: awaited.runId }
      await expect.poll(() => heard).toContainEqual(end)
      unsubscribe()
      const ids: string[] = [quiet.runId, awaited.runId]
      expect(heard.filter((one) => 'runId' in one && ids.includes(one.runId))).toEqual([end])
    })

    it('yields for another turn, now or later', async () => {
      const db = subject()
      const run = await accepted(db, await publisher(db))
      const taken = await claimed(db, run)
      const dueAt = Date.now() + 60_000
      expect(await commit(db, taken, { status: 'yielded', dueAt }, { variables: { a: 1 } })).toEqual({
        kind: 'committed',
        status: 'running',
        slice: 1,
      })
      expect(await rowOf(client(), run)).toMatchObject({
        worker_id: null,
        lease_until: null,
        dispatch_due_at: new Date(dueAt),
      })
      expect(await commit(db, taken, DONE)).toEqual({ kind: 'lost', status: 'running' })
      expect(await claimed(db, run, { slice: 1 })).toMatchObject({ variables: { a: 1 } })
    })

    it('waits for people without a lease, and nothing is due', async () => {
      const db = subject()
      const from = await publisher(db)
      const run = await accepted(db, from)
      const nodeRuns = [nodeRun('review', { status: 'waiting', completedAt: null, handles: null })]
      expect(await commit(db, await claimed(db, run), WAITING, { nodeRuns })).toMatchObject({
        kind: 'committed',
        status: 'awaiting_approval',
      })
      expect(await recordOf(db, from, run)).toMatchObject({
        status: 'awaiting_approval',
        statusReason: WAITING.statusReason,
      })
      expect(await rowOf(client(), run)).toMatchObject({ lease_until: null, dispatch_due_at: null })
      expect(await db.workflowRuns.claim({ runId: run.runId, slice: 0 }, 'w', 30)).toBeNull()
    })

    it('of a worker whose review was answered meanwhile is written, and the worker keeps the run', async () => {
      const db = subject()
      const from = await publisher(db)
      const run = await accepted(db, from)
      const taken = await claimed(db, run)
      await wake(run.runId)
      expect(await commit(db, taken, RUNNING)).toMatchObject({ kind: 'committed' })
      const nodeRuns = [nodeRun('call', { output: 'paid for' })]
      expect(await commit(db, taken, WAITING, { nodeRuns })).toEqual({ kind: 'wake' })
      expect(await rowOf(client(), run)).toMatchObject({
        status: 'running',
        worker_id: 'w',
        lease_until: expect.any(Date),
      })
      const again = await db.workflowRuns.reload(taken.fence)
      expect(again).toMatchObject({ fence: taken.fence, nodeRuns })
      expect(await commit(db, taken, WAITING)).toMatchObject({ status: 'awaiting_approval' })
      expect(await db.workflowRuns.reload(taken.fence)).toBeNull()
    })

    it('that fails or makes room does so although a review was answered', async () => {
      const db = subject()
      const from = await publisher(db)
      for (const to of [{ status: 'failed', output: null, error: 'x' } as const, yielded()]) {
        const run = await accepted(db, from)
        const taken = await claimed(db, run)
        await wake(run.runId)
        expect(await commit(db, taken, to)).toMatchObject({ kind: 'committed' })
        if (to.status === 'yielded') await claimed(db, run, { slice: 1 })
        expect(await rowOf(client(), run)).toMatchObject({ wake: to.status === 'failed' })
      }
    })
  })

  describe('leases of workflow runs', () => {
    it('are renewed for the runs of a worker, which learns which ones to stop', async () => {
      const db = subject()
      const from = await publisher(db)
      const { scope } = from.tenant
      const runs = await Promise.all(Array.from({ length: 5 }, () => accepted(db, from)))
      const [kept, paused, cancelled, lost, ended] = runs as [
        (typeof runs)[0],
        (typeof runs)[0],
        (typeof runs)[0],
        (typeof runs)[0],
        (typeof runs)[0],
      ]
      const workerId = newWorkflowRunId()
      for (const run of runs) await claimed(db, run, { workerId, leaseSeconds: -1 })
      await db.workflowRuns.pause(scope, paused.runId)
      await db.workflowRuns.cancel(scope, cancelled.runId)
      await claimed(db, lost, { workerId: 'other' })
      const fence = { runId: ended.runId, workerId, slice: 0 }
      await commit(db, { fence, organizationId: from.tenant.organizationId }, DONE)
      const ids = [...runs.map(({ runId }) => runId), newWorkflowRunId()]
      await db.workflowRuns.renewLeases(workerId, ids, 60)
      await db.workflowRuns.renewLeases(workerId, [], 60)
      for (const run of [kept, paused]) {
        const row = await rowOf(client(), run)
        expect((row?.lease_until as Date).getTime()).toBeGreaterThan(Date.now())
      }
      expect((await rowOf(client(), cancelled))?.lease_until).toBeNull()
      expect(await db.workflowRuns.ended(workerId, [])).toEqual([])
      const told = await db.workflowRuns.ended(workerId, ids)
      expect(told.toSorted((a, b) => ids.indexOf(a.runId) - ids.indexOf(b.runId))).toEqual([
        { runId: cancelled.runId, reason: 'cancel' },
        { runId: lost.runId, reason: 'lost' },
        { runId: ended.runId, reason: 'cancel' },
      ])
    })
  })
}
