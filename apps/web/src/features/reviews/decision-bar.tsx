import { Check, X } from 'lucide-react'
import { RefusableButton } from '../../atoms/overlays/refusable-button.tsx'
import { SendButton } from '../../atoms/overlays/send-button.tsx'
import { useSendingRefusal } from '../../atoms/overlays/sending-refusal.ts'
import { reviewWords as words } from '../../core/messages/en/operate/reviews.ts'
import { useKeys } from '../../infrastructure/keys/use-keys.ts'
import styles from './reviews.module.css'

export interface DecisionBarProps {
  /** Why it cannot be approved yet; null or absent: it can. */
  approveRefusal?: string | null
  onApprove(): void
  onReject(): void
}

/** Both answers, where the thumb is on a phone. `A` approves, `R` rejects. */
export function DecisionBar({ approveRefusal = null, onApprove, onReject }: DecisionBarProps) {
  const offline = useSendingRefusal()
  useKeys([
    { keys: 'a', label: words.approve, refusal: approveRefusal ?? offline, run: onApprove },
    { keys: 'r', label: words.reject, refusal: offline, run: onReject },
  ])
  return (
    <>
      <div className={styles.aboveBar} />
      <div className={styles.bar}>
        <RefusableButton
          emphasis="primary"
          icon={<Check size={16} />}
          refusal={approveRefusal}
          onPress={onApprove}
        >
          {words.approve} <DecisionKey>{words.approveKey}</DecisionKey>
        </RefusableButton>
        <SendButton emphasis="danger" icon={<X size={16} />} onPress={onReject}>
          {words.reject} <DecisionKey>{words.rejectKey}</DecisionKey>
        </SendButton>
      </div>
    </>
  )
}

function DecisionKey({ children }: { children: string }) {
  return (
    <span className={styles.key} aria-hidden="true">
      {children}
    </span>
  )
}
