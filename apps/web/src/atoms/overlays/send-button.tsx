import type { ComponentProps } from 'react'
import buttonStyles from '../controls/button.module.css'
import { Button, type ButtonProps } from '../controls/button.tsx'
import { useSendingRefusal } from '../states/sending-refusal.ts'
import { classNames } from '../styles/class-names.ts'

/** A button that sends a request to the server. If that is impossible, it shows the reason. */
export function SendButton(button: ButtonProps) {
  const refusal = useSendingRefusal()
  if (refusal === null) return <Button {...button} />
  return <button {...refusedButton(button, refusal)} title={refusal} />
}

/**
 * The attributes of a button that refuses. It keeps the focus, unlike a disabled button: users of keyboards and screen
 * readers learn the reason too.
 */
export function refusedButton(
  button: Omit<ButtonProps, 'isDisabled'>,
  refusal: string,
): ComponentProps<'button'> {
  const { emphasis = 'secondary', size = 'medium', icon, children, type = 'button' } = button
  return {
    type,
    className: classNames(
      buttonStyles.button,
      buttonStyles[emphasis],
      size === 'small' && buttonStyles.small,
      !children && buttonStyles.icon,
    ),
    'aria-disabled': true,
    'aria-label': button['aria-label'],
    'aria-description': refusal,
    onClick: (event) => event.preventDefault(),
    children: (
      <>
        {icon}
        {children}
      </>
    ),
  }
}
