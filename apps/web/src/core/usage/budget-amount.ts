import type { BudgetMetric } from '@troupe/contract'
import { compactNumber, decimalNumber, money, percent, wholeNumber } from '../format/numbers.ts'

/** "$5.00", "5,000"; minutes are counted by the second: "29.6". */
export function budgetAmount(metric: BudgetMetric, value: number): string {
  if (metric === 'llm_cost_usd') return money(value)
  return metric === 'voice_minutes' ? decimalNumber(value) : wholeNumber(value)
}

/** As {@link budgetAmount}, but from a million on "2.5M": the column of a table has room for that. */
export function shortBudgetAmount(metric: BudgetMetric, value: number): string {
  const isLong = metric !== 'llm_cost_usd' && value >= 1_000_000
  return isLong ? compactNumber(value) : budgetAmount(metric, value)
}

/** "99%" until all of it is used, and "140%" beyond. */
export function budgetShare(used: number, limit: number): string {
  const share = limit === 0 ? 1 : used / limit
  return percent(share < 1 ? Math.min(share, 0.99) : share)
}
