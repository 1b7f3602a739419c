import { Focusable } from 'react-aria-components'
import type { ButtonProps } from '../controls/button.tsx'
import { refusedButton, SendButton } from './send-button.tsx'
import { Tip } from './tip.tsx'

export interface RefusableButtonProps extends Omit<ButtonProps, 'isDisabled'> {
  /** The reason why the user may not do this: "Only admins and owners can do this. Ask Ana."; null: allowed. */
  refusal: string | null
}

/** A button that stays visible and shows the reason if the user's role forbids it, or nothing can be sent. */
export function RefusableButton({ refusal, ...button }: RefusableButtonProps) {
  if (refusal === null) return <SendButton {...button} />
  return (
    <Tip text={refusal}>
      <Focusable>
        <button {...refusedButton(button, refusal)} />
      </Focusable>
    </Tip>
  )
}
