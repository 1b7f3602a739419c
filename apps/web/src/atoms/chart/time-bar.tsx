import { duration } from '../../core/format/times.ts'
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
  const share = (ms: number) => `${Math.max(0, Math.min(1, ms / Math.max(1, totalMs))) * 100}%`
  const ended = durationMs ?? totalMs - startMs
  return (
    <span className={styles.track} title={`+${duration(Math.max(0, startMs))}`} aria-hidden="true">
      <span
        className={classNames(styles.bar, styles[tone], isEstimated && styles.estimated)}
        style={{ insetInlineStart: share(startMs), inlineSize: share(ended) }}
      />
    </span>
  )
}
