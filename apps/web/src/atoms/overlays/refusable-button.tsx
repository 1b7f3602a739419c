import { Focusable } from 'react-aria-components'
import buttonStyles from '../controls/button.module.css'
import { Button, type ButtonProps } from '../controls/button.tsx'
import { classNames } from '../styles/class-names.ts'
import { useSendingRefusal } from './sending-refusal.ts'
import { Tip } from './tip.tsx'

export interface RefusableButtonProps extends Omit<ButtonProps, 'isDisabled'> {
  /** Why the person may not do this: "Needs admin: Ana"; null: they may. */
  refusal: string | null
}

/** A button that stays visible where the role of the person forbids it, or nothing can be sent, and says why. */
export function RefusableButton({ refusal, ...button }: RefusableButtonProps) {
  return refusal === null ? <SendButton {...button} /> : <RefusedButton {...button} refusal={refusal} />
}

/** A button that sends something to the server. Where nothing can be sent, it says why. */
export function SendButton(button: ButtonProps) {
  const refusal = useSendingRefusal()
  return refusal === null ? <Button {...button} /> : <RefusedButton {...button} refusal={refusal} />
}

/** It keeps the focus, unlike a disabled button: who works by keyboard or screen reader learns the reason, too. */
function RefusedButton(props: Omit<ButtonProps, 'isDisabled'> & { refusal: string }) {
  const { refusal, emphasis = 'secondary', size = 'medium', icon, children, type = 'button' } = props
  const classes = classNames(
    buttonStyles.button,
    buttonStyles[emphasis],
    size === 'small' && buttonStyles.small,
    !children && buttonStyles.icon,
  )
  return (
    <Tip text={refusal}>
      <Focusable>
        <button
          type={type}
          className={classes}
          data-disabled=""
          aria-disabled="true"
          aria-label={props['aria-label']}
          aria-description={refusal}
          onClick={(event) => event.preventDefault()}
        >
          {icon}
          {children}
        </button>
      </Focusable>
    </Tip>
  )
}
