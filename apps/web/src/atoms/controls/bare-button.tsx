import type { ReactNode } from 'react'
import { Button, type ButtonProps } from 'react-aria-components'

export interface BareButtonProps extends Omit<ButtonProps, 'className' | 'style' | 'children'> {
  className: string | undefined
  children: ReactNode
}

/** An unstyled button, for clickable elements that do not look like buttons: a row, a card, a switcher. */
export function BareButton({ className, ...props }: BareButtonProps) {
  return <Button {...props} className={className ?? ''} />
}
