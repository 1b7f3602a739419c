import type { Budget } from '@troupe/contract'
import type { BudgetRecord } from '@troupe/storage'
import { fromMicros } from './micros.ts'

/** A budget as callers see it. `usedMicros`: usage of this month. */
export function presentBudget(record: Omit<BudgetRecord, 'createdAt'>, usedMicros: number): Budget {
  const { id, projectId, metric, limitMicros, period } = record
  return {
    budgetId: id,
    projectId,
    metric,
    limit: fromMicros(limitMicros),
    period,
    used: fromMicros(usedMicros),
  }
}
