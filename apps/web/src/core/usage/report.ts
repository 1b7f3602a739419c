import type { UsageReport } from '@troupe/contract/builder'
import { shortDate } from '../format/times.ts'
import { usageWords as words } from '../messages/en/operate/usage.ts'

export const USAGE_GROUPS = [
  'model',
  'agent',
  'team',
  'workflow',
  'apiKey',
  'tag',
  'user',
  'purpose',
  'day',
] as const
export type UsageGroup = (typeof USAGE_GROUPS)[number]
export const USAGE_METRICS = ['cost', 'tokens', 'runs', 'errors', 'voice'] as const
export type UsageMetric = (typeof USAGE_METRICS)[number]
/** `usual`: costs, or tokens if no called model has a price. */
export const METRIC_CHOICES = ['usual', ...USAGE_METRICS] as const
export type MetricChoice = (typeof METRIC_CHOICES)[number]
export const USAGE_PERIODS = ['7d', '30d', '90d', 'month', 'last-month'] as const
export type UsagePeriod = (typeof USAGE_PERIODS)[number]

const DAY_MS = 86_400_000
const isoDay = (ms: number) => new Date(ms).toISOString().slice(0, 10)

/** The first and the last day of a period, in UTC. */
export function periodDays(period: UsagePeriod, nowMs: number): { from: string; to: string } {
  const now = new Date(nowMs)
  const month = (offset: number) => Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset)
  switch (period) {
    case 'month':
      return { from: isoDay(month(0)), to: isoDay(nowMs) }
    case 'last-month':
      return { from: isoDay(month(-1)), to: isoDay(month(0) - DAY_MS) }
    default: {
      const days = Number.parseInt(period, 10)
      return { from: isoDay(nowMs - (days - 1) * DAY_MS), to: isoDay(nowMs) }
    }
  }
}

type Amounts = UsageReport['totals']

/** A measure of amounts; calls without a price cost nothing that is known. */
export function measure(
  amounts: Pick<Amounts, 'costUsd' | 'inputTokens' | 'outputTokens' | 'runs' | 'errors' | 'voiceMinutes'>,
  metric: UsageMetric,
): number {
  switch (metric) {
    case 'cost':
      return amounts.costUsd ?? 0
    case 'tokens':
      return amounts.inputTokens + amounts.outputTokens
    case 'runs':
      return amounts.runs
    case 'errors':
      return amounts.errors
    case 'voice':
      return amounts.voiceMinutes
    default:
      return metric satisfies never
  }
}

/** The measure that is shown. Equal costs are ordered by tokens, so the report by costs is also the one by tokens without prices. */
export function shownMetric(
  choice: MetricChoice,
  totals: Pick<Amounts, 'costUsd' | 'calls'> | undefined,
): UsageMetric {
  if (choice !== 'usual') return choice
  return totals !== undefined && totals.calls > 0 && totals.costUsd === null ? 'tokens' : 'cost'
}

/** The reason for an empty chart; null: it has data. */
export function nothingOf({ totals }: Pick<UsageReport, 'totals'>, metric: UsageMetric): string | null {
  if (measure(totals, metric) > 0) return null
  return metric === 'cost' && totals.costUsd === null ? words.nothingPriced : words.nothing[metric]
}

/** The share of a group in all that was used; a run with calls of several groups counts in each of them. */
export function shareOf(
  row: Parameters<typeof measure>[0],
  { totals }: Pick<UsageReport, 'totals'>,
  metric: UsageMetric,
) {
  const all = measure(totals, metric)
  return all === 0 ? 0 : Math.min(1, measure(row, metric) / all)
}

/** The relative difference from the previous period: 0.1 is a tenth more. null: nothing before. */
export function changeOf(now: number, before: number): number | null {
  return before === 0 ? null : now / before - 1
}

/** Every day from one to another, in order. */
export function daysBetween(from: string, to: string): string[] {
  const count = Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1
  return Array.from({ length: Math.max(0, count) }, (_, index) => isoDay(Date.parse(from) + index * DAY_MS))
}

/** The name of a group of a report. */
export function groupName(
  group: UsageGroup,
  { key, name }: { key: string | null; name: string | null },
): string {
  if (key === null) return words.none[group] ?? words.noKey
  return name ?? words.deleted
}

/** The total of values without a group in the report. */
const REST = 'rest'

/**
 * A history of one or two days is shown as a list of days, because a chart of less than a week shows no
 * trend.
 */
const LISTED_DAYS = 2
const LEAST_DAYS = 7

/** The first day on which anything was used, if nothing was used in the period before; null otherwise. */
export function firstDayOf({ data, days, previous }: UsageReport, group: UsageGroup): string | null {
  if (previous.calls > 0 || previous.voiceMinutes > 0) return null
  const used = group === 'day' ? data.map(({ key }) => key) : days.map(({ day }) => day)
  return used.filter((day) => day !== null).toSorted()[0] ?? null
}

/** The days of the chart: the history begins with its first data. */
function chartDays(report: UsageReport, group: UsageGroup): string[] {
  const byDay = daysBetween(report.from, report.to)
  const first = firstDayOf(report, group)
  if (first === null) return byDay
  const history = byDay.slice(Math.max(0, byDay.indexOf(first)))
  return history.length <= LISTED_DAYS ? history : byDay.slice(-Math.max(LEAST_DAYS, history.length))
}

/** The bars of a report: its largest groups by day, or the days themselves. */
export function usageChart(report: UsageReport, group: UsageGroup, metric: UsageMetric, nowMs: number) {
  const byDay = chartDays(report, group)
  const label = (day: string) => shortDate(day, nowMs, 'en-GB', 'UTC')
  const today = new Date(nowMs).toISOString().slice(0, 10)
  const open = (day: string) => (day === today ? { isOpen: true } : {})
  if (group === 'day') {
    const amounts = new Map(report.data.map((row) => [row.key, measure(row, metric)]))
    return {
      series: [{ id: 'all', label: words.total }],
      points: byDay.map((day) => ({
        ...{ id: day, label: label(day), values: { all: amounts.get(day) ?? 0 } },
        ...open(day),
      })),
    }
  }
  const names = new Map(report.data.map((row) => [row.key, groupName(group, row)]))
  const keys = report.data.map(({ key }) => key).filter((key) => report.days.some((row) => row.key === key))
  const shown = keys.filter((key) => key !== null)
  const hasRest = report.days.some((row) => row.key === null && (row.calls > 0 || measure(row, metric) > 0))
  const values = new Map<string, Record<string, number>>()
  for (const row of report.days) {
    const day = values.get(row.day) ?? {}
    day[row.key ?? REST] = measure(row, metric)
    values.set(row.day, day)
  }
  return {
    series: [
      ...shown.map((key) => ({ id: key, label: names.get(key) ?? key })),
      ...(hasRest ? [{ id: REST, label: words.rest, tone: 'neutral' as const }] : []),
    ],
    points: byDay.map((day) => ({ id: day, label: label(day), values: values.get(day) ?? {}, ...open(day) })),
  }
}
