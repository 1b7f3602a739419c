import type { UsageReport } from '@troupe/contract/builder'
import { csvText } from '../files/csv.ts'
import type { UsageGroup } from './report.ts'

const AMOUNTS = [
  'runs',
  'calls',
  'errors',
  'inputTokens',
  'cachedTokens',
  'outputTokens',
  'costUsd',
  'voiceMinutes',
] as const

/** The groups of a report as a CSV file, with the names of the API. */
export function usageCsv({ data }: UsageReport, group: UsageGroup): string {
  const rows = data.map((row) => [row.key, row.name, ...AMOUNTS.map((amount) => row[amount])])
  return csvText([group, 'name', ...AMOUNTS], rows)
}
