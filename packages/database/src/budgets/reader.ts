import { budgets } from '@troupe/tables/configuration/budgets'
import type { Drizzle } from '@troupe/tables/drizzle/drizzle'
import { and, asc, eq, sql } from 'drizzle-orm'
import type { BudgetReader } from './port.ts'

export function budgetReader(db: Drizzle): BudgetReader {
  return {
    async list(organizationId) {
      const { id, projectId, metric, limitMicros, period, createdAt } = budgets
      const rows = await db
        .select({ id, projectId, metric, limitMicros, period, createdAt })
        .from(budgets)
        .where(eq(budgets.organizationId, organizationId))
        .orderBy(sql`${projectId} nulls first`, asc(metric))
      return rows.map((row) => ({ ...row, organizationId }))
    },
    async used(organizationId, id) {
      const [row] = await db
        .select({ used: sql<number>`budget_used(${budgets})` })
        .from(budgets)
        .where(and(eq(budgets.organizationId, organizationId), eq(budgets.id, id)))
      return row?.used ?? null
    },
  }
}
