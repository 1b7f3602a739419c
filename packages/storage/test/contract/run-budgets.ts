import type { NewRun } from '@troupe/agents/ports'
import { describe, expect, it } from 'vitest'
import type { SqlClient } from '../../src/sql/client/sql-client.ts'
import { budgetFixture, budgetOf } from './budget-fixture.ts'
import { endOf, runOn, sessionOf, targetOf, usage } from './run-builders.ts'
import { createTenant, type Subject, type Tenant } from './tenant.ts'

const TOKEN = 1_000_000

/** The effect of budgets for models on runs of agents and teams. */
export function runBudgetsContract(subject: Subject, client: () => SqlClient): void {
  const { put, spend } = budgetFixture(subject, client)
  const runOf = (
    tenant: Tenant,
    changes: Partial<NewRun> = {},
    projectId: Tenant['projectA'] | null = null,
  ) =>
    runOn(tenant, sessionOf(tenant, { projectId }), { reserved: { tokens: 40, costMicros: 400 }, ...changes })

  describe('a budget for models', () => {
    it('reserves the estimates of runs in flight, also of concurrent starts', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      await put(budgetOf(tenant, { metric: 'llm_tokens', limitMicros: 100 * TOKEN }))
      const runs = Array.from({ length: 8 }, (_, n) =>
        runOf(tenant, { source: n % 2 === 0 ? 'api_async' : 'api_sync' }),
      )
      const outcomes = await Promise.all(runs.map((run) => db.runs.start(run)))
      // 40 and 80 leave room, 120 do not.
      const started = runs.filter((_, n) => outcomes[n]?.kind === 'started')
      expect(started).toHaveLength(3)
      expect(outcomes.find(({ kind }) => kind !== 'started')).toEqual({
        kind: 'budget_exceeded',
        message: 'The budget for tokens is used up: 0 of 100 this month, and 120 reserved by runs in flight.',
      })
      for (const run of started) {
        await db.runs.cancel({ organizationId: tenant.organizationId, projectId: null }, targetOf(run))
      }
      expect(await db.runs.start(runOf(tenant))).toMatchObject({ kind: 'started' })
    })

    it("is used up by the ledger, the project's before the organization’s", async () => {
      const db = subject()
      const tenant = await createTenant(db)
      await put(budgetOf(tenant, { metric: 'llm_cost_usd', limitMicros: 1_500, projectId: tenant.projectA }))
      await spend(db, tenant, { costMicros: 1_500 }, tenant.projectA)
      expect(await db.runs.start(runOf(tenant, {}, tenant.projectA))).toEqual({
        kind: 'budget_exceeded',
        message: 'The budget for US dollars of the project is used up: 0.0015 of 0.0015 this month.',
      })
      expect(await db.runs.start(runOf(tenant, {}, tenant.projectB))).toMatchObject({ kind: 'started' })
      expect(await db.runs.start(runOf(tenant))).toMatchObject({ kind: 'started' })
      await put(budgetOf(tenant, { metric: 'llm_tokens', limitMicros: TOKEN }))
      expect(await db.runs.start(runOf(tenant))).toMatchObject({ kind: 'budget_exceeded' })
      // The run of a workflow's node belongs to a run that was checked.
      expect(await db.runs.start(runOf(tenant, { source: 'workflow' }))).toMatchObject({ kind: 'started' })
    })

    it('refuses no repeated request, and consumes no idempotency key or session number', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const budget = budgetOf(tenant, { metric: 'llm_tokens', limitMicros: 10 * TOKEN })
      await put(budget)
      const idempotency = { path: '/run', key: 'k', bodyHash: 'h' }
      const first = runOf(tenant, { idempotency })
      expect(await db.runs.start(first)).toMatchObject({ kind: 'started' })
      await db.runs.finish(endOf(first, { usage: [usage({ inputTokens: 9, outputTokens: 1 })] }))
      const repeated = { ...runOf(tenant, { idempotency }), session: first.session }
      expect(await db.runs.start(repeated)).toEqual({
        kind: 'idempotency_key_used',
        runId: first.runId,
        bodyHash: 'h',
      })
      const other = {
        ...runOf(tenant, { idempotency: { ...idempotency, key: 'other' } }),
        session: first.session,
      }
      expect(await db.runs.start(other)).toMatchObject({ kind: 'budget_exceeded' })
      await put({ ...budget, limitMicros: 1_000 * TOKEN })
      expect(await db.runs.start(other)).toMatchObject({ kind: 'started', sessionSeq: 2 })
    })
  })
}
