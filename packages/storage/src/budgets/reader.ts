import { and, asc, eq, inArray, isNull, or, sql } from 'drizzle-orm'
import { number, text } from '../sql/client/columns.ts'
import { budgets } from '../tables/configuration/budgets.ts'
import type { Drizzle } from '../tables/drizzle/drizzle.ts'
import { expression } from '../tables/drizzle/expression.ts'
import type { BudgetReader } from './port.ts'

export function budgetReader(db: Drizzle): BudgetReader {
  const { id, projectId, metric, limitMicros, period, createdAt } = budgets
  const columns = { id, projectId, metric, limitMicros, period, createdAt }
  const order = [sql`${projectId} nulls first`, asc(metric)]
  const used = expression(number(), sql`budget_used(${budgets})`)
  return {
    async list(organizationId) {
      const rows = await db
        .select(columns)
        .from(budgets)
        .where(eq(budgets.organizationId, organizationId))
        .orderBy(...order)
      return rows.map((row) => ({ ...row, organizationId }))
    },
    async listUsed({ organizationId, projectId: wanted }) {
      const rows = await db
        .select({ ...columns, used })
        .from(budgets)
        .where(
          and(
            eq(budgets.organizationId, organizationId),
            wanted === null ? undefined : eq(projectId, wanted),
          ),
        )
        .orderBy(...order)
      return rows.map((row) => ({ ...row, organizationId }))
    },
    async usedUp({ organizationId, projectId: wanted }) {
      const place = sql`CASE WHEN ${projectId} IS NULL THEN '' ELSE ' of the project' END`
      const [row] = await db
        .select({
          reason: expression(
            text(),
            sql`'The budget for ' || budget_unit(${metric}) || ${place} || ' is used up.'`,
          ),
        })
        .from(budgets)
        .where(
          and(
            eq(budgets.organizationId, organizationId),
            wanted === null ? isNull(projectId) : or(isNull(projectId), eq(projectId, wanted)),
            inArray(metric, ['llm_tokens', 'llm_cost_usd']),
            sql`${used} >= ${limitMicros}`,
          ),
        )
        .orderBy(...order)
        .limit(1)
      return row?.reason ?? null
    },
    async used(organizationId, budgetId) {
      const [row] = await db
        .select({ used })
        .from(budgets)
        .where(and(eq(budgets.organizationId, organizationId), eq(id, budgetId)))
      return row?.used ?? null
    },
  }
}
