import type { ReactNode } from 'react'
import { Dialog, DialogTrigger, Popover } from 'react-aria-components'
import styles from './popover-panel.module.css'

export interface PopoverPanelProps {
  /** What it is called for screen readers. */
  label: string
  /** The button that opens it. */
  trigger: ReactNode
  placement?: 'top start' | 'bottom start'
  children: ReactNode
}

/** A few fields beside the button that opens them. What is typed there holds at once, so there is nothing to confirm; Escape closes it. */
export function PopoverPanel({ label, trigger, placement = 'bottom start', children }: PopoverPanelProps) {
  return (
    <DialogTrigger>
      {trigger}
      <Popover className={styles.popover ?? ''} placement={placement} offset={6}>
        <Dialog className={styles.panel ?? ''} aria-label={label}>
          {children}
        </Dialog>
      </Popover>
    </DialogTrigger>
  )
}
