import { describe, expect, it } from 'vitest'
import type { Database } from '../../src/database.ts'
import type { SqlClient } from '../../src/sql/client/sql-client.ts'
import { rowsWhere } from './inspect.ts'
import type { Subject } from './tenant.ts'
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
  startOf,
  WAITING,
} from './workflow-builders.ts'

const DAY = 24 * 3_600

export function workflowRetentionContract(subject: Subject, client: () => SqlClient): void {
  const sweep = () => subject().workflowRuns.sweepExpired(Date.now())
  const keep = (db: Database, { tenant }: Publisher, days: { traceDays: number; runDays: number }) =>
    db.transaction(async ({ write }) => {
      const organization = await write.organizations.lock(tenant.organizationId)
      if (organization) await write.organizations.put({ ...organization, ...days })
    })

  describe('the trace of a workflow run', () => {
    it('comes in pages by the order of its nodes, with an exact total', async () => {
      const db = subject()
      const from = await publisher(db)
      const run = await accepted(db, from)
      const taken = await claimed(db, run)
      const nodeRuns = Array.from({ length: 25 }, (_, i) => nodeRun(`n${i}`, { seq: 25 - i, output: i }))
      await commit(db, taken, RUNNING, { nodeRuns: nodeRuns.slice(5) })
      await commit(db, taken, DONE, { nodeRuns: nodeRuns.slice(0, 5) })
      const page = (n: number) => db.workflowRuns.nodes(from.tenant.scope, run.runId, { page: n, limit: 10 })
      const pages = [await page(1), await page(2), await page(3), await page(4)]
      expect(pages.map((one) => [one?.rows.length, one?.total, one?.versionId])).toEqual(
        [10, 10, 5, 0].map((rows) => [rows, 25, from.versionId]),
      )
      expect(pages.flatMap((one) => one?.rows ?? [])).toEqual(nodeRuns.toReversed())
    })
  })

  describe('retention of workflow runs', () => {
    it('deletes traces first, runs later, and nothing in flight', async () => {
      const db = subject()
      const from = await publisher(db)
      const { scope } = from.tenant
      const rows = {
        nodeRuns: [nodeRun('a', { input: 'in', output: 'out' })],
        iterations: [{ path: '', nodeId: 'l', index: 0, output: 1 }],
      }
      const ended = async () => {
        const run = await accepted(db, from)
        await commit(db, await claimed(db, run), DONE, rows)
        return run
      }
      const waiting = await accepted(db, from)
      await commit(db, await claimed(db, waiting), WAITING, rows)
      const [young, middle, old] = [await ended(), await ended(), await ended()]
      for (const [run, days] of [
        [waiting, 1_000],
        [young, 29],
        [middle, 31],
        [old, 91],
      ] as const) {
        await earlier(client(), run, days * DAY)
      }
      await sweep()
      await sweep()
      const trace = async (run: typeof young) => {
        const nodes = await db.workflowRuns.nodes(scope, run.runId, { page: 1, limit: 10 })
        const iterations = await rowsWhere(client(), 'workflow_iterations', 'run_id', run.runId)
        return nodes && [...nodes.rows.map(({ input, output }) => [input, output]), iterations.length]
      }
      expect(await trace(waiting)).toEqual([['in', 'out'], 1])
      expect(await trace(young)).toEqual([['in', 'out'], 1])
      expect(await trace(middle)).toEqual([[null, null], 0])
      expect((await recordOf(db, from, middle)).output).toEqual(DONE.output)
      expect(await trace(old)).toBeNull()
      expect(await db.workflowRuns.find(scope, old.runId)).toBeNull()
      expect(await rowsWhere(client(), 'workflow_node_runs', 'run_id', old.runId)).toEqual([])
      await keep(db, from, { traceDays: 90, runDays: 30 })
      await sweep()
      expect(await trace(middle)).toBeNull()
      expect(await trace(young)).toEqual([['in', 'out'], 1])
      expect(await trace(waiting)).toEqual([['in', 'out'], 1])
    })

    it('is separate for each organization', async () => {
      const db = subject()
      const [short, long] = [await publisher(db), await publisher(db)]
      await keep(db, short, { traceDays: 1, runDays: 2 })
      await keep(db, long, { traceDays: 1_000, runDays: 2_000 })
      const ended = async (from: Publisher, days: number) => {
        const run = await accepted(db, from)
        await commit(db, await claimed(db, run), DONE, { nodeRuns: [nodeRun('a', { output: 'out' })] })
        await earlier(client(), run, days * DAY)
        return async () => {
          const page = { page: 1, limit: 1 }
          const nodes = await db.workflowRuns.nodes(from.tenant.scope, run.runId, page)
          return nodes === null ? null : nodes.rows[0]?.output
        }
      }
      const runs = [
        await ended(short, 1.5),
        await ended(short, 3),
        await ended(long, 999),
        await ended(long, 1_001),
      ]
      await sweep()
      expect(await Promise.all(runs.map((outputOf) => outputOf()))).toEqual([null, null, 'out', null])
      const ids = await rowsWhere(client(), 'workflow_runs', 'organization_id', short.tenant.organizationId)
      expect(ids).toHaveLength(1)
    })

    it('deletes more than fits into one statement', async () => {
      const db = subject()
      const from = await publisher(db, { ceiling: 1 })
      await accepted(db, from)
      await Promise.all(
        Array.from({ length: 230 }, async () => {
          const run = await db.workflowRuns.accept(startOf(from, { createdAt: 1_000 }))
          expect(run.kind).toBe('rejected')
        }),
      )
      await sweep()
      const rows = await rowsWhere(client(), 'workflow_runs', 'workflow_id', from.workflow.id)
      expect(rows).toHaveLength(1)
    })
  })
}
