import type { BudgetRecord } from '@troupe/storage'
import { fromMicros } from './micros.ts'

/** A budget as the audit log keeps it. */
export function auditedBudget(budget: Omit<BudgetRecord, 'createdAt'>): Record<string, unknown> {
  const { metric, projectId, period, limitMicros } = budget
  return { metric, projectId, period, limit: fromMicros(limitMicros) }
}
