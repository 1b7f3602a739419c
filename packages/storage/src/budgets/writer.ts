import { and, eq, sql } from 'drizzle-orm'
import { budgets } from '../tables/configuration/budgets.ts'
import { onlyRow, type WriteContext } from '../tables/drizzle/write-context.ts'
import type { BudgetWriter } from './port.ts'

export function budgetWriter({ db, signal }: WriteContext): BudgetWriter {
  return {
    async put({ id, organizationId, projectId, metric, limitMicros, period }) {
      // Starts of workflows hold this lock until they commit, so the count misses none of them, and every
      // later start sees the budget.
      await db.execute(sql`select pg_advisory_xact_lock(1, starts_lock(${organizationId}::uuid))`)
      // The first start sums up the month's ledger; accepted starts are counted here, once.
      const month = sql`date_trunc('month', now() at time zone 'UTC') at time zone 'UTC'`
      const accepted = sql`(
        select count(*) * 1000000 from workflow_runs r
        where r.kind = 'run' and r.organization_id = ${organizationId}::uuid and (${projectId}::uuid is null or r.project_id = ${projectId}::uuid)
          and r.created_at >= ${month} and r.status not in ('policy_blocked', 'concurrency_limit_reached')
      )`
      const isRuns = metric === 'workflow_runs'
      const rows = await db
        .insert(budgets)
        .values({
          id,
          organizationId,
          projectId,
          metric,
          limitMicros,
          period,
          countedMicros: isRuns ? accepted : 0,
          countedUntil: isRuns ? sql`now()` : month,
        })
        .onConflictDoUpdate({
          target: budgets.id,
          set: {
            projectId,
            metric,
            limitMicros,
            period,
            countedMicros: sql`excluded.counted_micros`,
            countedUntil: sql`excluded.counted_until`,
          },
          setWhere: eq(budgets.organizationId, organizationId),
        })
        .returning({ id: budgets.id })
      onlyRow(rows, `budget ${id} in this organization`)
      signal({ kind: 'config_changed', organizationId })
    },
    async delete(organizationId, id) {
      const rows = await db
        .delete(budgets)
        .where(and(eq(budgets.organizationId, organizationId), eq(budgets.id, id)))
        .returning({ id: budgets.id })
      onlyRow(rows, `budget ${id} in this organization`)
      signal({ kind: 'config_changed', organizationId })
    },
  }
}
