import { setTimeout as wait } from 'node:timers/promises'
import type { NewWorkflowRun } from '@troupe/workflows/ports'
import { describe, expect, it } from 'vitest'
import type { SqlDriver } from '../../src/sql/client/sql-client.ts'
import { rowsWhere } from './inspect.ts'
import type { Subject } from './tenant.ts'
import {
  accepted,
  claimed,
  commit,
  DONE,
  nodeRun,
  PATIENT,
  publisher,
  RUNNING,
  recordOf,
  rowOf,
  startOf,
  sweptSlice,
  yielded,
} from './workflow-builders.ts'

const NODES = ['a', 'b', 'c', 'd']
const WORKERS = ['w1', 'w2', 'w3', 'w4']

export function workflowRacesContract(subject: Subject, driver: () => SqlDriver): void {
  const nodesOf = (runId: string) => rowsWhere(driver(), 'workflow_node_runs', 'run_id', runId)

  describe('a workflow run', () => {
    it('that is cancelled and finished concurrently, 200 times: exactly one wins, and both report it', async () => {
      const db = subject()
      const from = await publisher(db, { ceiling: 1_000 })
      const { scope } = from.tenant
      const won = { cancel: 0, finish: 0 }
      for (let batch = 0; batch < 10; batch += 1) {
        await Promise.all(
          Array.from({ length: 20 }, async (_, i) => {
            const run = await accepted(db, from, { claim: { workerId: 'w', leaseSeconds: 30 } })
            const fence = { runId: run.runId, workerId: 'w', slice: 0 }
            const { organizationId } = from.tenant
            const finish = () => commit(db, { fence, organizationId }, DONE, { nodeRuns: [nodeRun('a')] })
            const cancel = () => db.workflowRuns.cancel(scope, run.runId)
            const [finished, cancelled] =
              i % 2 === 0
                ? await Promise.all([finish(), cancel()])
                : await Promise.all([cancel(), finish()]).then(([c, f]) => [f, c] as const)
            const { status, output } = await recordOf(db, from, run)
            const rows = await nodesOf(run.runId)
            if (finished.kind === 'committed') {
              won.finish += 1
              expect([status, output, rows.length]).toEqual(['completed', DONE.output, 1])
              expect(cancelled).toEqual({ cancelled: false, status: 'completed' })
            } else {
              won.cancel += 1
              expect([status, output, rows.length]).toEqual(['cancelled', null, 0])
              expect(finished).toEqual({ kind: 'lost', status: 'cancelled' })
              expect(cancelled).toEqual({ cancelled: true, status: 'cancelled' })
            }
          }),
        )
      }
      expect(won.cancel + won.finish).toBe(200)
      expect(Math.min(won.cancel, won.finish)).toBeGreaterThan(0)
    })

    it('has one worker, however many claim a turn concurrently', async () => {
      const db = subject()
      const from = await publisher(db, { ceiling: 100 })
      for (let round = 0; round < 20; round += 1) {
        const run = await accepted(db, from)
        const claim = (slice: number) =>
          Promise.all(
            WORKERS.map((workerId) => db.workflowRuns.claim({ runId: run.runId, slice }, workerId, 30)),
          )
        const first = (await claim(0)).filter((one) => one !== null)
        expect(first).toHaveLength(1)
        if (first[0]) await commit(db, first[0], yielded(), { nodeRuns: [nodeRun('a')] })
        const second = (await claim(1)).filter((one) => one !== null)
        expect(second.map(({ nodeRuns }) => nodeRuns.length)).toEqual([1])
      }
    })

    it('that is cancelled and claimed concurrently never runs unnoticed', async () => {
      const db = subject()
      const from = await publisher(db, { ceiling: 1_000 })
      await Promise.all(
        Array.from({ length: 50 }, async () => {
          const run = await accepted(db, from)
          const [taken] = await Promise.all([
            db.workflowRuns.claim({ runId: run.runId, slice: 0 }, 'w', 30),
            db.workflowRuns.cancel(from.tenant.scope, run.runId),
          ])
          expect((await recordOf(db, from, run)).status).toBe('cancelled')
          if (!taken) return
          expect(await db.workflowRuns.ended('w', [run.runId])).toEqual([
            { runId: run.runId, reason: 'cancel' },
          ])
          expect(await commit(db, taken, DONE)).toEqual({ kind: 'lost', status: 'cancelled' })
        }),
      )
    })

    it('that is taken over concurrently refuses commits that the new worker does not see', async () => {
      const db = subject()
      const from = await publisher(db, { ceiling: 100 })
      for (let round = 0; round < 40; round += 1) {
        const run = await accepted(db, from)
        const lost = await claimed(db, run, { workerId: 'w1', leaseSeconds: -1 })
        const [outcome, taken] = await Promise.all([
          commit(db, lost, RUNNING, { nodeRuns: [nodeRun('a')] }),
          db.workflowRuns.claim({ runId: run.runId, slice: 0 }, 'w2', 30),
        ])
        expect(taken?.nodeRuns.length).toBe(outcome.kind === 'committed' ? 1 : 0)
        expect(await nodesOf(run.runId)).toHaveLength(taken?.nodeRuns.length ?? -1)
      }
    })

    it('whose commit waits for a takeover writes nothing', async () => {
      const db = subject()
      const run = await accepted(db, await publisher(db))
      const taken = await claimed(db, run)
      const held = await driver().transaction(async (client) => {
        const text = 'update workflow_runs set slice = slice + 1 where id = $1::uuid'
        await client.query({ name: 'take_workflow_over', text }, [run.runId])
        const committed = commit(db, taken, DONE, { nodeRuns: [nodeRun('a')] })
        await wait(100)
        return { committed }
      })
      expect(await held.committed).toEqual({ kind: 'lost', status: 'running' })
      expect(await nodesOf(run.runId)).toEqual([])
    })

    it('that is paused and finished concurrently ends in one of the two, and a resume leads to the other', async () => {
      const db = subject()
      const from = await publisher(db, { ceiling: 1_000 })
      const { scope } = from.tenant
      await Promise.all(
        Array.from({ length: 50 }, async () => {
          const run = await accepted(db, from)
          const taken = await claimed(db, run)
          const [paused, finished] = await Promise.all([
            db.workflowRuns.pause(scope, run.runId),
            commit(db, taken, DONE),
          ])
          if (finished.kind === 'committed') {
            expect(paused).toEqual({ paused: false, status: 'completed' })
            return
          }
          expect(finished).toEqual({ kind: 'paused' })
          const resumed = await db.workflowRuns.resume(scope, run.runId)
          expect(resumed).toMatchObject({ resumed: true, delivery: { slice: 1 } })
          expect(await commit(db, await claimed(db, run, { slice: 1 }), DONE)).toMatchObject({
            status: 'completed',
          })
        }),
      )
    })

    it('that is resumed and released concurrently has a turn that is due', async () => {
      const db = subject()
      const from = await publisher(db, { ceiling: 1_000 })
      const { scope } = from.tenant
      for (let round = 0; round < 40; round += 1) {
        const run = await accepted(db, from)
        const taken = await claimed(db, run)
        await db.workflowRuns.pause(scope, run.runId)
        await Promise.all([db.workflowRuns.resume(scope, run.runId), commit(db, taken, yielded())])
        expect(await rowOf(driver(), run)).toMatchObject({
          status: 'running',
          slice: 1,
          lease_until: null,
          dispatch_due_at: expect.any(Date),
        })
        await claimed(db, run, { slice: 1 })
      }
    })

    it('whose dispatch fails while it is claimed is failed or runs', async () => {
      const db = subject()
      const from = await publisher(db, { ceiling: 1_000 })
      await Promise.all(
        Array.from({ length: 50 }, async () => {
          const run = await accepted(db, from)
          const [failed, taken] = await Promise.all([
            db.workflowRuns.failDispatch(run.runId, 'unreachable'),
            db.workflowRuns.claim({ runId: run.runId, slice: 0 }, 'w', 30),
          ])
          expect(failed).toBe(taken === null)
          expect((await recordOf(db, from, run)).status).toBe(failed ? 'failed' : 'running')
        }),
      )
    })
  })

  describe('workflow runs whose workers crash, sleep, and are paused and cancelled', () => {
    /**
     * One turn of a worker: up to three nodes, then the end or the next turn. A mortal one may stop anywhere, and its
     * lease has been expired from the beginning, so that others take over while it still writes.
     */
    const turn = async ({ runId: id }: NewWorkflowRun, slice: number, workerId: string, mortal: boolean) => {
      const db = subject()
      const dies = () => mortal && Math.random() < 0.2
      const run = await db.workflowRuns.claim({ runId: id, slice }, workerId, mortal ? -1 : 60)
      if (!run) return
      const done = new Set(run.nodeRuns.map(({ nodeId }) => nodeId))
      const missing = NODES.filter((nodeId) => !done.has(nodeId))
      for (const nodeId of missing.slice(0, 3)) {
        if (dies()) return
        const nodeRuns = [nodeRun(nodeId, { seq: NODES.indexOf(nodeId) })]
        const outcome = await commit(db, run, RUNNING, { nodeRuns })
        if (outcome.kind !== 'committed') break
      }
      if (dies()) return
      await commit(db, run, missing.length > 3 ? yielded() : DONE)
    }

    it('end once, with all outputs if completed, and free every slot', async () => {
      const db = subject()
      const from = await publisher(db, { ceiling: 40 })
      const { scope, organizationId } = from.tenant
      const runs = await Promise.all(Array.from({ length: 40 }, () => accepted(db, from)))
      const byId = new Map<string, (typeof runs)[number]>(runs.map((run) => [run.runId, run]))
      const turns: Promise<unknown>[] = []
      for (let round = 0; round < 14; round += 1) {
        const mortal = round < 9
        const swept = await Promise.all([1, 2].map(() => db.workflowRuns.sweep(PATIENT)))
        for (const { runId, slice } of swept.flat()) {
          const run = byId.get(runId)
          if (run) for (const workerId of WORKERS) turns.push(turn(run, slice, workerId, mortal))
        }
        const [unlucky, sleepy] = [runs[round * 2], runs[round * 2 + 1]]
        if (mortal && unlucky) turns.push(db.workflowRuns.cancel(scope, unlucky.runId))
        if (mortal && sleepy) turns.push(db.workflowRuns.pause(scope, sleepy.runId))
        if (!mortal) {
          await Promise.all(turns)
          for (const run of runs) await db.workflowRuns.resume(scope, run.runId)
        }
        // Dispatched but unclaimed runs are due in 10 seconds.
        await driver().execute(
          'update workflow_runs set dispatch_due_at = now() where organization_id = $1::uuid and dispatch_due_at > now()',
          [organizationId],
        )
      }
      await Promise.all(turns)
      const statuses = new Set<string>()
      for (const run of runs) {
        const record = await recordOf(db, from, run)
        statuses.add(record.status)
        expect(['completed', 'failed', 'cancelled']).toContain(record.status)
        const nodes = await nodesOf(run.runId)
        if (record.status === 'completed') expect(nodes).toHaveLength(NODES.length)
        expect(await sweptSlice(db, run)).toBeNull()
      }
      expect(statuses.size).toBeGreaterThan(1)
      await Promise.all(Array.from({ length: 40 }, () => accepted(db, from)))
      expect(await db.workflowRuns.accept(startOf(from))).toMatchObject({ kind: 'rejected' })
    })
  })
}
