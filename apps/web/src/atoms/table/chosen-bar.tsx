import { type ReactNode, useRef } from 'react'
import { Button } from '../controls/button.tsx'
import { isOffPage, pageHeading, useFocusAfter } from '../focus/focus-next.ts'
import styles from './chosen-bar.module.css'

export interface ChosenBarProps {
  /** "3 runs chosen" */
  label: string
  clear: string
  onClear(): void
  /** The actions for the rows. */
  children: ReactNode
}

/** The actions for the selected rows of a table, above it. */
export function ChosenBar({ label, clear, onClear, children }: ChosenBarProps) {
  const bar = useRef<HTMLDivElement>(null)
  useFocusAfter(bar, pageHeading, isOffPage)
  return (
    <div ref={bar} className={styles.chosen} role="toolbar" aria-label={label}>
      <strong>{label}</strong>
      {children}
      <Button size="small" emphasis="quiet" onPress={onClear}>
        {clear}
      </Button>
    </div>
  )
}
