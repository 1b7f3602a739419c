import { newId, ProjectId } from '@troupe/contract'
import type { Signal } from '@troupe/durable-work'
import { describe, expect, it } from 'vitest'
import type { SqlClient } from '../../src/sql/client/sql-client.ts'
import { budgetFixture, budgetOf } from './budget-fixture.ts'
import { createTenant, type Subject } from './tenant.ts'
import { accepted, publishedBy, publisher, recordOf, startOf } from './workflow-builders.ts'

export function workflowBudgetsContract(subject: Subject, client: () => SqlClient): void {
  const { put, used, spend, shift } = budgetFixture(subject, client)

  describe('budgets', () => {
    it('are listed, changed, deleted, one per metric and level, and signalled to every process', async () => {
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
      await expect(put(budgetOf(tenant, { projectId: newId(ProjectId) }))).rejects.toMatchObject({
        code: '23503',
      })
      const createdAt = expect.any(Date)
      expect(await db.read.budgets.list(tenant.organizationId)).toEqual([
        { ...own, limitMicros: 5, createdAt },
        { ...project, createdAt },
      ])
      const scopeOf = (projectId: typeof tenant.projectA | null) => ({
        organizationId: tenant.organizationId,
        projectId,
      })
      expect(await db.read.budgets.listUsed(scopeOf(null))).toEqual([
        { ...own, limitMicros: 5, createdAt, used: 0 },
        { ...project, createdAt, used: 0 },
      ])
      expect(await db.read.budgets.listUsed(scopeOf(tenant.projectA))).toMatchObject([{ id: project.id }])
      expect(await db.read.budgets.list(other.organizationId)).toEqual([])
      expect(await db.read.budgets.used(other.organizationId, own.id)).toBeNull()
      await db.transaction(({ write }) => write.budgets.delete(tenant.organizationId, own.id))
      await expect(
        db.transaction(({ write }) => write.budgets.delete(tenant.organizationId, own.id)),
      ).rejects.toThrow('There is no budget')
      await expect.poll(() => heard.length).toBeGreaterThanOrEqual(4)
      unsubscribe()
    })

    it('of runs count accepted starts, including those before the budget, and block the next one', async () => {
      const db = subject()
      const from = await publisher(db, { ceiling: 3 })
      const budget = budgetOf(from.tenant)
      await db.workflowRuns.cancel(from.tenant.scope, (await accepted(db, from)).runId)
      await put(budget)
      expect(await used(budget)).toBe(1_000_000)
      await accepted(db, from)
      const key = { path: '/run', key: 'k', bodyHash: 'h' }
      const run = startOf(from, { idempotency: key, claim: { workerId: 'w', leaseSeconds: 30 } })
      const error = 'The budget for workflow runs is used up: 2 of 2 this month.'
      const rejected = { kind: 'rejected', status: 'policy_blocked', error }
      expect(await db.workflowRuns.accept(run)).toEqual(rejected)
      expect(await recordOf(db, from, run)).toMatchObject({
        status: 'policy_blocked',
        error,
        startedAt: null,
        completedAt: run.createdAt,
      })
      // Its caller got an answer, so a repeated request returns the same run.
      expect(await db.workflowRuns.accept(startOf(from, { idempotency: key }))).toMatchObject({
        runId: run.runId,
      })
      expect(await used(budget)).toBe(2_000_000)
      await put({ ...budget, limitMicros: 3_000_000 })
      expect(await used(budget)).toBe(2_000_000)
      await accepted(db, from)
      expect(await db.workflowRuns.accept(startOf(from))).toMatchObject({ status: 'policy_blocked' })
    })

    it('are checked before the ceiling', async () => {
      const db = subject()
      const from = await publisher(db, { ceiling: 0 })
      await put(budgetOf(from.tenant, { limitMicros: 0 }))
      expect(await db.workflowRuns.accept(startOf(from))).toMatchObject({
        status: 'policy_blocked',
        error: 'The budget for workflow runs is used up: 0 of 0 this month.',
      })
    })

    it('are exact under many concurrent starts', async () => {
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

    it('start at zero with every month', async () => {
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

    it('of a project count and block only that project; those of the organization everything', async () => {
      const db = subject()
      const a = await publisher(db)
      const { tenant } = a
      const b = await publishedBy(db, tenant, { projectId: tenant.projectB })
      await put(budgetOf(tenant, { projectId: tenant.projectB, limitMicros: 1_000_000 }))
      const whole = budgetOf(tenant, { limitMicros: 3_000_000 })
      await put(whole)
      await accepted(db, b)
      expect(await db.workflowRuns.accept(startOf(b))).toMatchObject({
        error: 'The budget for workflow runs of the project is used up: 1 of 1 this month.',
      })
      await accepted(db, a)
      await accepted(db, a)
      expect(await used(whole)).toBe(3_000_000)
      expect(await db.workflowRuns.accept(startOf(a))).toMatchObject({ status: 'policy_blocked' })
    })

    it('of tokens and dollars read the ledger of this month, for any kind of use', async () => {
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
        error: 'The budget for tokens is used up: 100 of 100 this month.',
      })
      await put({ ...tokens, limitMicros: 1e12 })
      await spend(db, tenant, { inputTokens: 0, outputTokens: 0, costMicros: 100_001 })
      expect(await used(dollars)).toBe(2_500_001)
      expect(await db.workflowRuns.accept(startOf(from))).toMatchObject({
        error: 'The budget for US dollars is used up: 2.500001 of 2.5 this month.',
      })
      const apart = budgetOf(tenant, { metric: 'llm_tokens', projectId: tenant.projectA })
      await put(apart)
      expect(await used(apart)).toBe(99_000_000)
    })

    it('of tokens are the same before and after a start has added up the ledger', async () => {
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
}
