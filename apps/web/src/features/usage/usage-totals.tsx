import type { UsageReport } from '@troupe/contract/builder'
import { BareButton } from '../../atoms/controls/bare-button.tsx'
import { percent } from '../../core/format/numbers.ts'
import { serverNow } from '../../core/format/server-clock.ts'
import { shortDate } from '../../core/format/times.ts'
import { usageWords as words } from '../../core/messages/en/operate/usage.ts'
import {
  changeOf,
  daysBetween,
  firstDayOf,
  measure,
  USAGE_METRICS,
  type UsageGroup,
  type UsageMetric,
} from '../../core/usage/report.ts'
import { shortMeasure } from './measures.ts'
import styles from './usage.module.css'

export interface UsageTotalsProps {
  report: UsageReport
  group: UsageGroup
  /** The measure in the chart. */
  metric: UsageMetric
  onMetric(metric: UsageMetric): void
}

/** The totals of the period, each compared with the previous period. A press shows one in the chart. */
export function UsageTotals({ report, group, metric, onMetric }: UsageTotalsProps) {
  const days = words.days(daysBetween(report.from, report.to).length)
  const first = firstDayOf(report, group)
  const since = first === null ? null : words.since(shortDate(first, serverNow(), 'en-GB', 'UTC'))
  return (
    <div className={styles.tiles}>
      {USAGE_METRICS.filter((one) => one !== 'voice' || one === metric || hasSpoken(report)).map((one) => (
        <BareButton
          key={one}
          className={styles.tile}
          aria-pressed={one === metric}
          onPress={() => onMetric(one)}
        >
          <span className={styles.tileName}>{words.metrics[one]}</span>
          <span className={styles.tileValue}>
            {one === 'cost' && report.totals.costUsd === null
              ? words.noPrice
              : shortMeasure(one)(measure(report.totals, one))}
          </span>
          <span className={styles.tileChange}>
            {since ?? changeText(measure(report.totals, one), measure(report.previous, one), days)}
          </span>
        </BareButton>
      ))}
    </div>
  )
}

/** Without voice usage, nothing is shown about it. */
const hasSpoken = ({ totals, previous }: UsageReport) => totals.voiceMinutes > 0 || previous.voiceMinutes > 0

function changeText(now: number, before: number, days: string): string {
  const change = changeOf(now, before)
  if (change === null) return words.nothingBefore(days)
  if (Math.abs(change) < 0.005) return words.unchanged(days)
  return change > 0 ? words.more(percent(change), days) : words.less(percent(-change), days)
}
