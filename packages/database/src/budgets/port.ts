import type { OrganizationId, ProjectId } from '@troupe/contract'

/** What an organization or a project may use per calendar month (UTC). One per metric and level. */
export interface BudgetRecord {
  /** A UUID. */
  id: string
  organizationId: OrganizationId
  /** null: the whole organization, its projects included. */
  projectId: ProjectId | null
  metric: 'workflow_runs' | 'llm_tokens' | 'llm_cost_usd' | 'voice_minutes'
  /** In millionths of the metric's unit. */
  limitMicros: number
  period: 'month'
  createdAt: Date
}

export interface BudgetReader {
  /** Those of the organization itself first, by metric. */
  list(organizationId: OrganizationId): Promise<BudgetRecord[]>
  /** What is used of a budget in this month, in millionths of its unit; null when there is no such budget. */
  used(organizationId: OrganizationId, id: string): Promise<number | null>
}

export interface BudgetWriter {
  /**
   * Inserts the budget or changes its limit, metric and level. What this month has used already counts. Throws SqlError
   * 23505 when another budget has the metric on this level. Starts of workflows wait for the transaction's end.
   */
  put(record: Omit<BudgetRecord, 'createdAt'>): Promise<void>
  delete(organizationId: OrganizationId, id: string): Promise<void>
}
