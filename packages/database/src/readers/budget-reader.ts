import type { OrganizationId, ProjectId } from '@troupe/contract'
import { and, asc, eq, sql } from 'drizzle-orm'
import type { Readers } from '../database.ts'
import { budgets } from '../schema/budgets.ts'
import type { Drizzle } from '../sql/drizzle.ts'

export function budgetReader(db: Drizzle): Readers['budgets'] {
  return {
    async list(organizationId) {
      const { id, projectId, metric, limitMicros, period, createdAt } = budgets
      const rows = await db
        .select({ id, projectId, metric, limitMicros, period, createdAt })
        .from(budgets)
        .where(eq(budgets.organizationId, organizationId))
        .orderBy(sql`${projectId} nulls first`, asc(metric))
      return rows.map((row) => ({
        ...row,
        organizationId: organizationId as OrganizationId,
        projectId: row.projectId as ProjectId | null,
      }))
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
