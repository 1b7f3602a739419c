import { duration } from '../../core/format/times.ts'
import { spanWithin } from '../../core/runs/time-span.ts'
import { classNames } from '../styles/class-names.ts'
import styles from './time-bar.module.css'

export interface TimeBarProps {
  /** From the beginning of the whole; null: unknown, and nothing is drawn. */
  startMs: number | null
  /** null: it has not ended. */
  durationMs: number | null
  /** Of the whole. */
  totalMs: number
  tone?: 'normal' | 'bad' | 'quiet'
  /** The place follows from other durations. */
  isEstimated?: boolean
}

/** When something happened within a whole, as a bar. The numbers stand beside it. */
export function TimeBar({
  startMs,
  durationMs,
  totalMs,
  tone = 'normal',
  isEstimated = false,
}: TimeBarProps) {
  if (startMs === null) return null
  const { start, length } = spanWithin(totalMs, startMs, durationMs)
  return (
    <span className={styles.track} title={`+${duration(Math.max(0, startMs))}`} aria-hidden="true">
      <span
        className={classNames(styles.bar, styles[tone], isEstimated && styles.estimated)}
        style={{ insetInlineStart: `min(${start * 100}%, 100% - 3px)`, inlineSize: `${length * 100}%` }}
      />
    </span>
  )
}
