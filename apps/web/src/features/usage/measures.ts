import { compactNumber, decimalNumber, money, wholeNumber } from '../../core/format/numbers.ts'
import type { UsageMetric } from '../../core/usage/report.ts'

/** Formats a measure for axes and tiles. */
export function shortMeasure(metric: UsageMetric): (value: number) => string {
  if (metric === 'cost') return (value) => money(value)
  if (metric === 'voice') return (value) => decimalNumber(value)
  return (value) => (Math.abs(value) < 10_000 ? wholeNumber(value) : compactNumber(value))
}
