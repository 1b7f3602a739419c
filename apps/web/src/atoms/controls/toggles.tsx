import { Check, Minus } from 'lucide-react'
import type { ReactNode } from 'react'
import { Checkbox as AriaCheckbox, Switch as AriaSwitch } from 'react-aria-components'
import styles from './toggles.module.css'

export interface ToggleProps {
  isSelected: boolean
  onChange(isSelected: boolean): void
  isDisabled?: boolean
  /** One sentence below the label. */
  description?: ReactNode
  children: ReactNode
}

/** On or off, in force as soon as the form is saved. */
export function Toggle({ children, description, ...props }: ToggleProps) {
  return (
    <AriaSwitch {...props} className={styles.row ?? ''}>
      <span className={styles.track}>
        <span className={styles.thumb} />
      </span>
      <ToggleWords description={description}>{children}</ToggleWords>
    </AriaSwitch>
  )
}

export interface CheckboxProps extends ToggleProps {
  isIndeterminate?: boolean
}

/** One of several options that can be selected together. */
export function Checkbox({ children, description, ...props }: CheckboxProps) {
  return (
    <AriaCheckbox {...props} className={styles.row ?? ''}>
      {({ isIndeterminate }) => (
        <>
          <span className={styles.mark}>
            {isIndeterminate ? <Minus size={12} strokeWidth={3} /> : <Check size={12} strokeWidth={3} />}
          </span>
          <ToggleWords description={description}>{children}</ToggleWords>
        </>
      )}
    </AriaCheckbox>
  )
}

/** The words beside a mark. */
export function ToggleWords({ children, description }: { children: ReactNode; description?: ReactNode }) {
  return (
    <span className={styles.words}>
      <span>{children}</span>
      {description && <span className={styles.detail}>{description}</span>}
    </span>
  )
}
