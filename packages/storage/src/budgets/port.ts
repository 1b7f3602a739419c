import type { OrganizationId, ProjectId } from '@troupe/contract'
import type { budgets } from '../tables/configuration/budgets.ts'

/** The monthly limit (calendar month, UTC) of an organization or a project. One per metric and level. */
export type BudgetRecord = Omit<typeof budgets.$inferSelect, 'countedMicros' | 'countedUntil'>

export interface BudgetReader {
  /** The organization's own budgets first, by metric. */
  list(organizationId: OrganizationId): Promise<BudgetRecord[]>
  /** In the same order, with this month's usage in millionths of each unit; with `projectId`, only those of this project. */
  listUsed(scope: {
    organizationId: OrganizationId
    projectId: ProjectId | null
  }): Promise<(BudgetRecord & { used: number })[]>
  /** The reason, as a sentence, for refusing model calls of this organization and project now; null while its budgets last. Reservations of runs do not count. */
  usedUp(scope: { organizationId: OrganizationId; projectId: ProjectId | null }): Promise<string | null>
  /** This month's usage of a budget, in millionths of its unit; null when there is no such budget. */
  used(organizationId: OrganizationId, id: string): Promise<number | null>
}

export interface BudgetWriter {
  /**
   * Inserts the budget or changes its limit, metric and level. Usage earlier in this month counts. Throws
   * SqlError 23505 when another budget has the metric on this level. Starts of workflows wait until this
   * transaction ends.
   */
  put(record: Omit<BudgetRecord, 'createdAt'>): Promise<void>
  delete(organizationId: OrganizationId, id: string): Promise<void>
}
