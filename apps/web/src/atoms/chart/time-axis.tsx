import { duration } from '../../core/format/times.ts'
import { tickStep } from '../../core/runs/time-ticks.ts'
import styles from './time-bar.module.css'

/** The head of a column of time bars: round times from the start. `label` is what screen readers say. */
export function TimeAxis({ label, totalMs }: { label: string; totalMs: number }) {
  const step = tickStep(totalMs)
  const ticks = Array.from({ length: Math.floor(totalMs / step) + 1 }, (_, index) => index * step)
  return (
    <>
      <span className="visually-hidden">{label}</span>
      <span className={styles.axis} aria-hidden="true">
        {ticks
          // A label near the end would be cut off.
          .filter((ms) => ms / totalMs < 0.88)
          .map((ms) => (
            <span key={ms} style={{ insetInlineStart: `${(ms / totalMs) * 100}%` }}>
              {ms === 0 ? '0' : duration(ms)}
            </span>
          ))}
      </span>
    </>
  )
}
