import type { ReactNode } from 'react'
import { Button, type ButtonProps } from 'react-aria-components'

export interface BareButtonProps extends Omit<ButtonProps, 'className' | 'style' | 'children'> {
  className: string | undefined
  children: ReactNode
}

/** A button without a look, for what must be pressed but is not a button to the eye: a row, a card, a switcher. */
export function BareButton({ className, ...props }: BareButtonProps) {
  return <Button {...props} className={className ?? ''} />
}
