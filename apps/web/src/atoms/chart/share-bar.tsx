import { classNames } from '../styles/class-names.ts'
import styles from './time-bar.module.css'

export interface ShareBarProps {
  /** From 0 to 1. */
  share: number
  tone?: 'normal' | 'bad' | 'quiet'
}

/** A share of a whole, as a bar beside its number. */
export function ShareBar({ share, tone = 'normal' }: ShareBarProps) {
  const size = `${Math.max(0, Math.min(1, share)) * 100}%`
  return (
    <span className={styles.track} aria-hidden="true">
      <span className={classNames(styles.bar, styles[tone])} style={{ inlineSize: size }} />
    </span>
  )
}
