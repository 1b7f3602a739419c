import { DayBars } from '../chart/day-bars.tsx'
import { Badge } from './badge.tsx'
import styles from './week-of-runs.module.css'

export interface WeekOfRunsProps {
  /** The number of runs by day, oldest first. */
  ok: readonly number[]
  failed: readonly number[]
  /** The number of runs, beside the bars. */
  short: string
  sentence: string
  /** Failures of the last day, or false. */
  failures: string | false
}

/** A week's runs as bars of its days, and the failures of the last day. */
export function WeekOfRuns({ ok, failed, short, sentence, failures }: WeekOfRunsProps) {
  if (![...ok, ...failed].some((count) => count > 0)) return <span data-none>{short}</span>
  return (
    <span className={styles.week} title={sentence}>
      <DayBars ok={ok} failed={failed} />
      <span aria-hidden="true">{short}</span>
      <span className="visually-hidden">{sentence}</span>
      {failures && <Badge tone="bad">{failures}</Badge>}
    </span>
  )
}
