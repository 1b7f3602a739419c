import type { BudgetMetric } from '@troupe/contract'
import { money, wholeNumber } from '../../core/format/numbers.ts'

/** "$5.00", "5,000". */
export const budgetAmount = (metric: BudgetMetric, value: number) =>
  metric === 'llm_cost_usd' ? money(value) : wholeNumber(value)
