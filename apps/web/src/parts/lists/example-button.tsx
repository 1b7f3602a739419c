import { RefusableButton } from '../../atoms/overlays/refusable-button.tsx'
import { listWords } from '../../core/messages/en/lists.ts'

/** The second action of an empty list: opens the form of a new resource, filled with a working example. */
export function ExampleButton({ refusal, onPress }: { refusal: string | null; onPress(): void }) {
  return (
    <RefusableButton refusal={refusal} onPress={onPress}>
      {listWords.startFromExample}
    </RefusableButton>
  )
}
