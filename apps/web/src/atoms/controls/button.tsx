import type { ReactNode, Ref } from 'react'
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components'
import { classNames } from '../styles/class-names.ts'
import styles from './button.module.css'

/** The prominence of a control; a page has one `primary` button. */
export type Emphasis = 'primary' | 'secondary' | 'quiet' | 'danger'

export interface ButtonProps extends Omit<AriaButtonProps, 'className' | 'style' | 'children'> {
  emphasis?: Emphasis
  size?: 'medium' | 'small'
  icon?: ReactNode
  /** Without text, an icon button: it needs an `aria-label`. */
  children?: ReactNode
  ref?: Ref<HTMLButtonElement>
}

/** A button. While `isPending` it stays focusable, ignores presses and shows that work is under way. */
export function Button({ emphasis = 'secondary', size = 'medium', icon, children, ...props }: ButtonProps) {
  const hasText = children !== undefined && children !== null
  const classes = classNames(
    styles.button,
    styles[emphasis],
    size === 'small' && styles.small,
    !hasText && styles.icon,
  )
  return (
    <AriaButton {...props} className={classes}>
      {({ isPending }) => (
        <>
          {isPending ? <span className={styles.spinner} aria-hidden="true" /> : icon}
          {children}
        </>
      )}
    </AriaButton>
  )
}
