import { Focusable } from 'react-aria-components'
import type { ButtonProps } from '../controls/button.tsx'
import { useInEmpty } from '../states/empty-actions.ts'
import { refusedButton, SendButton } from './send-button.tsx'
import { Tip } from './tip.tsx'

export interface RefusableButtonProps extends Omit<ButtonProps, 'isDisabled'> {
  /** The reason why the user may not do this: "Only admins and owners can do this. Ask Ana."; null: allowed. */
  refusal: string | null
}

/**
 * A button that stays visible and shows the reason if the user's role forbids it, or nothing can be sent. In something empty the
 * reason of the primary one takes its place.
 */
export function RefusableButton({ refusal, ...button }: RefusableButtonProps) {
  const isInEmpty = useInEmpty()
  if (refusal === null) return <SendButton {...button} />
  if (isInEmpty) return button.emphasis === 'primary' ? <p>{refusal}</p> : null
  return (
    <Tip text={refusal}>
      <Focusable>
        <button {...refusedButton(button, refusal)} />
      </Focusable>
    </Tip>
  )
}
