import { Check, X } from 'lucide-react'
import { useEffect } from 'react'
import { KeyMark } from '../../atoms/keys/key-mark.tsx'
import { FootBar } from '../../atoms/layout/foot-bar.tsx'
import { RefusableButton } from '../../atoms/overlays/refusable-button.tsx'
import { SendButton } from '../../atoms/overlays/send-button.tsx'
import { useSendingRefusal } from '../../atoms/states/sending-refusal.ts'
import { reviewWords as words } from '../../core/messages/en/operate/reviews.ts'
import { isDoublePress, shownAt } from '../../core/reviews/double-press.ts'
import { useKeys } from '../../infrastructure/keys/use-keys.ts'
import styles from './reviews.module.css'
import { broughtUp } from './sent-decisions.ts'

export interface DecisionBarProps {
  /** The decided item. */
  id: string
  /** The reason why it can't be approved yet; null or absent: it can. */
  approveRefusal?: string | null
  /** null: it can only be rejected. */
  onApprove: (() => void) | null
  onReject(): void
}

/**
 * The decision buttons, within reach of the thumb on a phone. `A` approves, `R` rejects. A second press right after a decision is ignored:
 * it would apply to the next, unread review.
 */
export function DecisionBar({ id, approveRefusal = null, onApprove, onReject }: DecisionBarProps) {
  const offline = useSendingRefusal()
  const unlessDouble = useUnlessDouble(id)
  const approve = onApprove && (() => unlessDouble(onApprove))
  const reject = () => unlessDouble(onReject)
  const refusal = approveRefusal ?? offline
  useKeys([
    ...(approve ? [{ keys: 'a' as const, label: words.approve, refusal, run: approve }] : []),
    { keys: 'r', label: words.reject, refusal: offline, run: reject },
  ])
  return (
    <>
      <div className={styles.aboveBar} />
      <FootBar className={styles.bar}>
        {approve && (
          <RefusableButton
            emphasis="primary"
            icon={<Check size={16} />}
            refusal={approveRefusal}
            onPress={approve}
          >
            {words.approve} <KeyMark>{words.approveKey}</KeyMark>
          </RefusableButton>
        )}
        <SendButton emphasis="danger" icon={<X size={16} />} onPress={reject}>
          {words.reject} <KeyMark>{words.rejectKey}</KeyMark>
        </SendButton>
      </FootBar>
    </>
  )
}

/** Runs the pressed action, unless the press was the second of a double press on the previous review. */
function useUnlessDouble(id: string): (run: () => void) => void {
  useEffect(() => broughtUp.set(shownAt(broughtUp.get(), id, performance.now())), [id])
  return (run) => {
    if (isDoublePress(broughtUp.get(), id, performance.now())) return
    run()
  }
}
