import { Button, type ButtonProps } from '../controls/button.tsx'
import { Tip } from './tip.tsx'

export interface RefusableButtonProps extends Omit<ButtonProps, 'isDisabled'> {
  /** Why the person may not do this: "Needs admin: Ana"; null: they may. */
  refusal: string | null
}

/** A button that stays visible where the role of the person forbids it, and says who may. */
export function RefusableButton({ refusal, ...button }: RefusableButtonProps) {
  if (refusal === null) return <Button {...button} />
  return (
    <Tip text={refusal}>
      <Button {...button} isDisabled />
    </Tip>
  )
}
