import { randomUUID } from 'node:crypto'
import type { WorkflowRunId } from '@troupe/contract'
import type { Signal } from '@troupe/turns'
import type { ClaimedWorkflowRun, WorkflowCommit } from '@troupe/workflows/ports'
import { describe, expect, it } from 'vitest'
import type { BudgetRecord } from '../../src/budgets/port.ts'
import type { Database } from '../../src/database.ts'
import type { SqlClient } from '../../src/sql/sql-client.ts'
import { rowsWhere } from './inspect.ts'
import { runOn, sessionOf, usage } from './run-builders.ts'
import { createTenant, newId, type Subject, type Tenant } from './tenant.ts'
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
  startOf,
  yielded,
} from './workflow-builders.ts'

type NewBudget = Omit<BudgetRecord, 'createdAt'>

function budgetOf({ organizationId }: Tenant, changes: Partial<NewBudget> = {}): NewBudget {
  return {
    id: randomUUID(),
    organizationId,
    projectId: null,
    metric: 'workflow_runs',
    limitMicros: 2_000_000,
    period: 'month',
    ...changes,
  }
}

export function workflowBudgetsContract(subject: Subject, client: () => SqlClient): void {
  const put = (budget: NewBudget) => subject().transaction(({ write }) => write.budgets.put(budget))
  const used = ({ organizationId, id }: NewBudget) => subject().read.budgets.used(organizationId, id)
  const spend = async (
    db: Database,
    tenant: Tenant,
    changes: Parameters<typeof usage>[0],
    projectId: Tenant['projectA'] | null = null,
  ) => {
    const run = runOn(tenant, sessionOf(tenant, { projectId }))
    const { organizationId } = tenant
    const records = [usage(changes)]
    await db.runs.recordUsage({
      runId: run.runId,
      organizationId,
      projectId,
      userId: 'ana',
      tag: null,
      usage: records,
    })
  }
  const shift = (table: string, column: string, tenant: Tenant, interval: string) =>
    client().execute(
      `update ${table} set ${column} = ${column} - $2::interval where organization_id = $1::uuid`,
      [tenant.organizationId, interval],
    )

  describe('budgets', () => {
    it('are listed, changed, deleted, one per metric and level, and told to every process', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const other = await createTenant(db)
      const heard: Signal[] = []
      const unsubscribe = db.signals.subscribe((signal) => {
        if (signal.kind === 'config_changed' && signal.organizationId === tenant.organizationId)
          heard.push(signal)
      })
      const project = budgetOf(tenant, { projectId: tenant.projectA, metric: 'llm_tokens' })
      const own = budgetOf(tenant)
      heard.length = 0
      await put(project)
      await put(own)
      await put({ ...own, limitMicros: 5 })
      await expect(put(budgetOf(tenant))).rejects.toMatchObject({
        code: '23505',
        constraint: 'budgets_metric',
      })
      await expect(put({ ...own, organizationId: other.organizationId })).rejects.toThrow(
        'There is no budget',
      )
      await expect(put(budgetOf(tenant, { projectId: newId.project() }))).rejects.toMatchObject({
        code: '23503',
      })
      const createdAt = expect.any(Date)
      expect(await db.read.budgets.list(tenant.organizationId)).toEqual([
        { ...own, limitMicros: 5, createdAt },
        { ...project, createdAt },
      ])
      expect(await db.read.budgets.list(other.organizationId)).toEqual([])
      expect(await db.read.budgets.used(other.organizationId, own.id)).toBeNull()
      await db.transaction(({ write }) => write.budgets.delete(tenant.organizationId, own.id))
      await expect(
        db.transaction(({ write }) => write.budgets.delete(tenant.organizationId, own.id)),
      ).rejects.toThrow('There is no budget')
      await expect.poll(() => heard.length).toBeGreaterThanOrEqual(4)
      unsubscribe()
    })

    it('of runs count accepted starts, those before the budget too, and block the next one', async () => {
      const db = subject()
      const from = await publisher(db, { ceiling: 3 })
      const budget = budgetOf(from.tenant)
      await db.workflowRuns.cancel(from.tenant.scope, (await accepted(db, from)).runId)
      await put(budget)
      expect(await used(budget)).toBe(1_000_000)
      await accepted(db, from)
      const key = { path: '/run', key: 'k', bodyHash: 'h' }
      const run = startOf(from, { idempotency: key, claim: { workerId: 'w', leaseSeconds: 30 } })
      const error = 'Budget workflow_runs is used up: 2 of 2 this month.'
      const rejected = { kind: 'rejected', status: 'policy_blocked', error }
      expect(await db.workflowRuns.accept(run)).toEqual(rejected)
      expect(await recordOf(db, from, run)).toMatchObject({
        status: 'policy_blocked',
        error,
        startedAt: null,
        completedAt: run.createdAt,
      })
      // Its caller was answered: the same request again is the same run.
      expect(await db.workflowRuns.accept(startOf(from, { idempotency: key }))).toMatchObject({
        runId: run.runId,
      })
      expect(await used(budget)).toBe(2_000_000)
      await put({ ...budget, limitMicros: 3_000_000 })
      expect(await used(budget)).toBe(2_000_000)
      await accepted(db, from)
      expect(await db.workflowRuns.accept(startOf(from))).toMatchObject({ status: 'policy_blocked' })
    })

    it('come before the ceiling', async () => {
      const db = subject()
      const from = await publisher(db, { ceiling: 0 })
      await put(budgetOf(from.tenant, { limitMicros: 0 }))
      expect(await db.workflowRuns.accept(startOf(from))).toMatchObject({
        status: 'policy_blocked',
        error: 'Budget workflow_runs is used up: 0 of 0 this month.',
      })
    })

    it('are exact under many starts at once', async () => {
      const db = subject()
      const from = await publisher(db, { ceiling: 500 })
      await put(budgetOf(from.tenant, { limitMicros: 30_000_000 }))
      const outcomes = await Promise.all(
        Array.from({ length: 200 }, () => db.workflowRuns.accept(startOf(from))),
      )
      expect(outcomes.filter(({ kind }) => kind === 'accepted')).toHaveLength(30)
      expect(
        outcomes.filter((one) => one.kind === 'rejected' && one.status === 'policy_blocked'),
      ).toHaveLength(170)
    })

    it('begin at nothing with every month', async () => {
      const db = subject()
      const from = await publisher(db)
      const budget = budgetOf(from.tenant, { limitMicros: 1_000_000 })
      await put(budget)
      await accepted(db, from)
      expect(await db.workflowRuns.accept(startOf(from))).toMatchObject({ kind: 'rejected' })
      await shift('budgets', 'counted_until', from.tenant, '32 days')
      expect(await used(budget)).toBe(0)
      await accepted(db, from)
      expect(await used(budget)).toBe(1_000_000)
    })

    it('of a project count and block that project only; those of the organization everything', async () => {
      const db = subject()
      const a = await publisher(db)
      const { tenant } = a
      const b = await publishedBy(db, tenant, { projectId: tenant.projectB })
      await put(budgetOf(tenant, { projectId: tenant.projectB, limitMicros: 1_000_000 }))
      const whole = budgetOf(tenant, { limitMicros: 3_000_000 })
      await put(whole)
      await accepted(db, b)
      expect(await db.workflowRuns.accept(startOf(b))).toMatchObject({
        error: 'Budget workflow_runs of the project is used up: 1 of 1 this month.',
      })
      await accepted(db, a)
      await accepted(db, a)
      expect(await used(whole)).toBe(3_000_000)
      expect(await db.workflowRuns.accept(startOf(a))).toMatchObject({ status: 'policy_blocked' })
    })

    it('of tokens and dollars read the ledger of this month, whatever used them', async () => {
      const db = subject()
      const from = await publisher(db)
      const { tenant } = from
      const tokens = budgetOf(tenant, { metric: 'llm_tokens', limitMicros: 100_000_000 })
      const dollars = budgetOf(tenant, { metric: 'llm_cost_usd', limitMicros: 2_500_000 })
      await put(tokens)
      await put(dollars)
      await spend(db, tenant, { inputTokens: 50, outputTokens: 10, costMicros: 1_250_000 })
      await shift('usage_records', 'created_at', tenant, '32 days')
      await spend(db, tenant, { inputTokens: 60, outputTokens: 39, costMicros: 2_400_000 }, tenant.projectA)
      expect(await used(tokens)).toBe(99_000_000)
      await accepted(db, from)
      await spend(db, tenant, { inputTokens: 0, outputTokens: 1, costMicros: null })
      expect(await db.workflowRuns.accept(startOf(from))).toMatchObject({
        error: 'Budget llm_tokens is used up: 100 of 100 this month.',
      })
      await put({ ...tokens, limitMicros: 1e12 })
      await spend(db, tenant, { inputTokens: 0, outputTokens: 0, costMicros: 100_001 })
      expect(await used(dollars)).toBe(2_500_001)
      expect(await db.workflowRuns.accept(startOf(from))).toMatchObject({
        error: 'Budget llm_cost_usd is used up: 2.500001 of 2.5 this month.',
      })
      const apart = budgetOf(tenant, { metric: 'llm_tokens', projectId: tenant.projectA })
      await put(apart)
      expect(await used(apart)).toBe(99_000_000)
    })

    it('of tokens are the same before and after a start has added the ledger up', async () => {
      const db = subject()
      const from = await publisher(db)
      const { tenant } = from
      const budget = budgetOf(tenant, { metric: 'llm_tokens', limitMicros: 1e12 })
      await put(budget)
      for (const minutes of [18, 8, 4]) {
        await spend(db, tenant, { inputTokens: minutes, outputTokens: 0 })
        await shift('usage_records', 'created_at', tenant, `${minutes} minutes`)
      }
      await spend(db, tenant, { inputTokens: 1, outputTokens: 0 })
      const before = await used(budget)
      await accepted(db, from)
      await accepted(db, from)
      expect(await used(budget)).toBe(before)
      const [row] = await client().execute(
        "select counted_micros::int, counted_until > now() - interval '6 min' from budgets where id = $1::uuid",
        [budget.id],
      )
      // Half an hour into the month, all of it is in this month: 18 + 8 are older than five minutes.
      if (new Date(Date.now() - 31 * 60_000).getUTCMonth() === new Date().getUTCMonth()) {
        expect(before).toBe(31_000_000)
        expect(row).toEqual([26_000_000, true])
      }
    })
  })

  describe('a run whose budget is used up while it is under way', () => {
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
      // What is under way ends, and what only computes goes on.
      const done = [nodeRun('next', { seq: 9 })]
      expect(await commit(db, run, RUNNING, { nodeRuns: done })).toMatchObject({ kind: 'committed' })
      const more = { nodeRuns: [nodeRun('pure')], starting: [runningNode('late', { seq: 10 })] }
      expect(await start(db, run, more)).toEqual({ kind: 'out_of_budget' })
      expect(await recordOf(db, from, run.fence)).toMatchObject({
        status: 'paused',
        statusReason: 'budget llm_tokens used up',
      })
      expect(await nodesOf(db, from, run.fence.runId)).toEqual(['pure completed', 'next completed'])
      // The worker still has it, and lets go when nothing is under way.
      expect(await commit(db, run, yielded())).toEqual({ kind: 'paused' })
      expect(await rowOf(client(), run.fence)).toMatchObject({ lease_until: null, dispatch_due_at: null })
    })

    it('is not asked about other metrics, organizations, projects, and months', async () => {
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

    it('goes on by itself when the limit was raised, and not before', async () => {
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
      // The other one is in its worker's hands, who gives it back for another turn.
      expect(await recordOf(db, from, running.fence)).toMatchObject({ status: 'running' })
      expect(await commit(db, running, yielded())).toMatchObject({ kind: 'committed', slice: 1 })
    })

    it('goes on in the next month, and stays paused when a person paused it or is asked to resume too early', async () => {
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

    it('of two that look at the same time each goes on once', async () => {
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

    it('is asked about a few minutes of the ledger only, however long no run has started', async () => {
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
