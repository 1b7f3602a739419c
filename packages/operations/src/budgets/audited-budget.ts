import type { BudgetRecord } from '@troupe/storage'
import { fromMicros } from './micros.ts'

/** A budget as recorded in the audit log. */
export function auditedBudget(budget: Omit<BudgetRecord, 'createdAt'>): Record<string, unknown> {
  const { metric, projectId, period, limitMicros } = budget
  return { metric, projectId, period, limit: fromMicros(limitMicros) }
}
