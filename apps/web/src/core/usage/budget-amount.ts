import type { BudgetMetric } from '@troupe/contract'
import { decimalNumber, money, percent, wholeNumber } from '../format/numbers.ts'

/** "$5.00", "5,000"; minutes are counted by the second: "29.6". */
export function budgetAmount(metric: BudgetMetric, value: number): string {
  if (metric === 'llm_cost_usd') return money(value)
  return metric === 'voice_minutes' ? decimalNumber(value) : wholeNumber(value)
}

/** "99%" until all of it is used, and "140%" beyond. */
export function budgetShare(used: number, limit: number): string {
  const share = limit === 0 ? 1 : used / limit
  return percent(share < 1 ? Math.min(share, 0.99) : share)
}
