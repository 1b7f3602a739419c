import type { CSSProperties } from 'react'
import { duration } from '../../core/format/times.ts'
import { spanWithin } from '../../core/runs/time-span.ts'
import { tickStep } from '../../core/runs/time-ticks.ts'
import { classNames } from '../styles/class-names.ts'
import styles from './time-bar.module.css'

export interface TimeBarProps {
  /** From the start of the whole; null: unknown, and the bar is hidden. */
  startMs: number | null
  /** null: it has not ended. */
  durationMs: number | null
  /** The duration of the whole. */
  totalMs: number
  tone?: 'normal' | 'bad' | 'quiet'
  /** Its position is derived from other durations. */
  isEstimated?: boolean
}

/** A time span within a total, as a bar on the lines of {@link TimeAxis}. The numbers are beside it. */
export function TimeBar({
  startMs,
  durationMs,
  totalMs,
  tone = 'normal',
  isEstimated = false,
}: TimeBarProps) {
  const tick = { '--tick': `${(tickStep(totalMs) / Math.max(1, totalMs)) * 100}%` } as CSSProperties
  if (startMs === null) return <span className={styles.track} style={tick} aria-hidden="true" />
  const { start, length } = spanWithin(totalMs, startMs, durationMs)
  return (
    <span
      className={styles.track}
      style={tick}
      title={`+${duration(Math.max(0, startMs))}`}
      aria-hidden="true"
    >
      <span
        className={classNames(styles.bar, styles[tone], isEstimated && styles.estimated)}
        style={{ insetInlineStart: `min(${start * 100}%, 100% - 3px)`, inlineSize: `${length * 100}%` }}
      />
    </span>
  )
}
