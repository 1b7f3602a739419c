import { type ReactNode, type RefObject, useRef, useState } from 'react'
import { Popover } from 'react-aria-components'
import styles from './popover-panel.module.css'

export interface PopoverPanelProps {
  /** Its name for screen readers. */
  label: string
  /** The button that opens it, with the required props. */
  trigger(button: {
    ref: RefObject<HTMLButtonElement | null>
    'aria-haspopup': 'dialog'
    'aria-expanded': boolean
    onPress(): void
  }): ReactNode
  placement?: 'top start' | 'bottom start'
  children: ReactNode
}

/** A few fields beside the button that opens them. Changes apply immediately, so there is nothing to confirm; Escape closes it. */
export function PopoverPanel({ label, trigger, placement = 'bottom start', children }: PopoverPanelProps) {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  return (
    <>
      {trigger({
        ref: button,
        'aria-haspopup': 'dialog',
        'aria-expanded': isOpen,
        onPress: () => setOpen(true),
      })}
      {/* The dialog of the library would load its code for every menu, too. */}
      <Popover
        triggerRef={button}
        isOpen={isOpen}
        onOpenChange={setOpen}
        className={styles.popover ?? ''}
        placement={placement}
        offset={6}
        aria-label={label}
      >
        <div className={styles.panel}>{children}</div>
      </Popover>
    </>
  )
}
