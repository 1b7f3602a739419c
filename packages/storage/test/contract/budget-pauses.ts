import type { WorkflowRunId } from '@troupe/contract'
import type { ClaimedWorkflowRun, WorkflowCommit } from '@troupe/workflows/ports'
import { describe, expect, it } from 'vitest'
import type { Database } from '../../src/database.ts'
import type { SqlClient } from '../../src/sql/client/sql-client.ts'
import { budgetFixture, budgetOf, type NewBudget } from './budget-fixture.ts'
import { rowsWhere } from './inspect.ts'
import { createTenant, type Subject, type Tenant } from './tenant.ts'
import {
  accepted,
  claimed,
  commit,
  nodeRun,
  type Publisher,
  publishedBy,
  publisher,
  RUNNING,
  recordOf,
  rowOf,
  runningNode,
  yielded,
} from './workflow-builders.ts'

export function budgetPausesContract(subject: Subject, client: () => SqlClient): void {
  const { put, used, spend, shift } = budgetFixture(subject, client)

  describe('a run whose budget is used up while it is in progress', () => {
    const limit = (tenant: Tenant, tokens: number, changes: Partial<NewBudget> = {}) => {
      const budget = budgetOf(tenant, { metric: 'llm_tokens', limitMicros: tokens * 1_000_000, ...changes })
      return put(budget).then(() => budget)
    }
    const usedTokens = { inputTokens: 70, outputTokens: 30 }
    const start = (db: Database, run: ClaimedWorkflowRun, rows: Partial<WorkflowCommit> = {}) =>
      commit(db, run, RUNNING, { starting: [runningNode('next', { seq: 9 })], ...rows })
    const nodesOf = async (db: Database, { tenant }: Publisher, runId: WorkflowRunId) => {
      const nodes = await db.workflowRuns.nodes(tenant.scope, runId, { page: 1, limit: 10 })
      return nodes?.rows.map(({ nodeId, status }) => `${nodeId} ${status}`)
    }

    it('starts effects while there is room, and none after that', async () => {
      const db = subject()
      const from = await publisher(db)
      await limit(from.tenant, 100)
      const run = await claimed(db, await accepted(db, from))
      expect(await start(db, run)).toMatchObject({ kind: 'committed', status: 'running' })
      await spend(db, from.tenant, usedTokens)
      // Work in progress ends, and pure nodes continue.
      const done = [nodeRun('next', { seq: 9 })]
      expect(await commit(db, run, RUNNING, { nodeRuns: done })).toMatchObject({ kind: 'committed' })
      const more = { nodeRuns: [nodeRun('pure')], starting: [runningNode('late', { seq: 10 })] }
      expect(await start(db, run, more)).toEqual({ kind: 'out_of_budget' })
      expect(await recordOf(db, from, run.fence)).toMatchObject({
        status: 'paused',
        statusReason: 'budget llm_tokens used up',
      })
      expect(await nodesOf(db, from, run.fence.runId)).toEqual(['pure completed', 'next completed'])
      // The worker still owns it, and releases it when nothing is in progress.
      expect(await commit(db, run, yielded())).toEqual({ kind: 'paused' })
      expect(await rowOf(client(), run.fence)).toMatchObject({ lease_until: null, dispatch_due_at: null })
    })

    it('ignores other metrics, organizations, projects, and months', async () => {
      const db = subject()
      const from = await publisher(db)
      const other = await publisher(db)
      const { tenant } = from
      const run = await claimed(db, await accepted(db, from))
      await limit(tenant, 0, { metric: 'voice_minutes' })
      await limit(tenant, 0, { projectId: tenant.projectA })
      await limit(tenant, 1, { metric: 'workflow_runs' })
      await limit(other.tenant, 0)
      const months = await limit(tenant, 100)
      await spend(db, tenant, usedTokens)
      await shift('usage_records', 'created_at', tenant, '40 days')
      expect(await used(months)).toBe(0)
      expect(await start(db, run)).toMatchObject({ kind: 'committed' })
      const cost = { ...usedTokens, costMicros: 5_000_000 }
      await limit(tenant, 5, { metric: 'llm_cost_usd' })
      await put({ ...months, limitMicros: 1_000_000_000 })
      await spend(db, tenant, cost)
      expect(await start(db, run)).toEqual({ kind: 'out_of_budget' })
      expect((await recordOf(db, from, run.fence)).statusReason).toBe('budget llm_cost_usd used up')
    })

    it('of a project pauses the runs of that project', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const inside = await publishedBy(db, tenant, { projectId: tenant.projectA })
      const outside = await publishedBy(db, tenant)
      const runs = [await accepted(db, inside), await accepted(db, outside)] as const
      await limit(tenant, 100, { projectId: tenant.projectA })
      await spend(db, tenant, usedTokens, tenant.projectA)
      expect(await start(db, await claimed(db, runs[0]))).toEqual({ kind: 'out_of_budget' })
      expect((await recordOf(db, inside, runs[0])).statusReason).toBe(
        'budget llm_tokens of the project used up',
      )
      expect(await start(db, await claimed(db, runs[1]))).toMatchObject({ kind: 'committed' })
    })

    const due = async (db: Database, { fence }: ClaimedWorkflowRun) =>
      (await db.workflowRuns.resumeWithinBudget()).filter(({ runId }) => runId === fence.runId)

    it('resumes by itself after the limit was raised, and not before', async () => {
      const db = subject()
      const from = await publisher(db)
      const running = await claimed(db, await accepted(db, from))
      const first = await claimed(db, await accepted(db, from))
      const budget = await limit(from.tenant, 100)
      await spend(db, from.tenant, usedTokens)
      expect(await start(db, running)).toEqual({ kind: 'out_of_budget' })
      await start(db, first)
      await commit(db, first, yielded())
      expect(await due(db, first)).toEqual([])
      await put({ ...budget, limitMicros: 101_000_000 })
      expect(await due(db, first)).toEqual([{ lane: 'workflows', runId: first.fence.runId, slice: 1 }])
      expect(await due(db, first)).toEqual([])
      expect(await recordOf(db, from, first.fence)).toMatchObject({ status: 'running', statusReason: null })
      expect(await claimed(db, first.fence, { slice: 1 })).toMatchObject({ fence: { slice: 1 } })
      // The other one is owned by a worker, which releases it for another turn.
      expect(await recordOf(db, from, running.fence)).toMatchObject({ status: 'running' })
      expect(await commit(db, running, yielded())).toMatchObject({ kind: 'committed', slice: 1 })
    })

    it('resumes in the transaction that raises the limit, together with it, and in no other organization', async () => {
      const db = subject()
      const [from, other] = [await publisher(db), await publisher(db)]
      const waiting = async (one: Publisher) => {
        const run = await claimed(db, await accepted(db, one))
        const budget = await limit(one.tenant, 0)
        await start(db, run)
        await commit(db, run, yielded())
        return { run, raised: { ...budget, limitMicros: 1_000_000 } }
      }
      const [mine, theirs] = [await waiting(from), await waiting(other)]
      await put(theirs.raised)
      const raise = (isWell: boolean) =>
        db.transaction(async ({ write, workflowRuns }) => {
          await write.budgets.put(mine.raised)
          const deliveries = await workflowRuns.resumeWithinBudget(from.tenant.organizationId)
          if (!isWell) throw new Error('rolled back')
          return deliveries
        })
      await expect(raise(false)).rejects.toThrow('rolled back')
      expect(await recordOf(db, from, mine.run.fence)).toMatchObject({ status: 'paused' })
      expect(await raise(true)).toEqual([{ lane: 'workflows', runId: mine.run.fence.runId, slice: 1 }])
      expect(await recordOf(db, from, mine.run.fence)).toMatchObject({ status: 'running' })
      expect(await recordOf(db, other, theirs.run.fence)).toMatchObject({ status: 'paused' })
    })

    it('resumes in the next month, and stays paused if a person paused it or resumes it too early', async () => {
      const db = subject()
      const from = await publisher(db)
      const [byPerson, early, waiting] = [
        await claimed(db, await accepted(db, from)),
        await claimed(db, await accepted(db, from)),
        await claimed(db, await accepted(db, from)),
      ]
      await limit(from.tenant, 100)
      await spend(db, from.tenant, usedTokens)
      for (const run of [byPerson, early, waiting]) {
        expect(await start(db, run)).toEqual({ kind: 'out_of_budget' })
        await commit(db, run, yielded())
      }
      const { scope } = from.tenant
      expect(await db.workflowRuns.pause(scope, byPerson.fence.runId)).toEqual({
        paused: true,
        status: 'paused',
      })
      const resumed = await db.workflowRuns.resume(scope, early.fence.runId)
      expect(resumed).toMatchObject({ resumed: true, status: 'running', delivery: { slice: 1 } })
      expect(await start(db, await claimed(db, early.fence, { slice: 1 }))).toEqual({ kind: 'out_of_budget' })
      await shift('usage_records', 'created_at', from.tenant, '40 days')
      await shift('budgets', 'counted_until', from.tenant, '40 days')
      expect(await due(db, waiting)).toHaveLength(1)
      expect(await recordOf(db, from, byPerson.fence)).toMatchObject({
        status: 'paused',
        statusReason: 'paused by a person',
      })
    })

    it('resumes once per run if two processes check at the same time', async () => {
      const db = subject()
      const from = await publisher(db)
      const run = await claimed(db, await accepted(db, from))
      const budget = await limit(from.tenant, 0)
      await start(db, run)
      await commit(db, run, yielded())
      await put({ ...budget, limitMicros: 1_000_000 })
      const found = await Promise.all([due(db, run), due(db, run), due(db, run)])
      expect(found.flat()).toHaveLength(1)
    })

    it('reads only a few minutes of the ledger, even if no run has started for long', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const budget = await limit(tenant, 100)
      await spend(db, tenant, usedTokens)
      await shift('usage_records', 'created_at', tenant, '1 hour')
      await spend(db, tenant, usedTokens)
      const before = await used(budget)
      await db.workflowRuns.resumeWithinBudget()
      const [row] = await rowsWhere(client(), 'budgets', 'id', budget.id)
      const { counted_micros: counted, counted_until: until } = row as Record<string, unknown>
      // At the beginning of a month there is nothing to settle yet.
      const isSettled = Number(counted) > 0
      expect(isSettled ? Date.now() - Number(until) : 6 * 60_000).toBeLessThan(7 * 60_000)
      expect(await used(budget)).toBe(before)
    })
  })
}
