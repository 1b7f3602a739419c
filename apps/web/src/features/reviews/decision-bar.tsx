import { Check, X } from 'lucide-react'
import { SendButton } from '../../atoms/overlays/send-button.tsx'
import { useSendingRefusal } from '../../atoms/overlays/sending-refusal.ts'
import { reviewWords as words } from '../../core/messages/en/operate/reviews.ts'
import { useKeys } from '../../infrastructure/keys/use-keys.ts'
import styles from './reviews.module.css'

export interface DecisionBarProps {
  onApprove(): void
  onReject(): void
}

/** Both answers, where the thumb is on a phone. `A` approves, `R` rejects. */
export function DecisionBar({ onApprove, onReject }: DecisionBarProps) {
  const refusal = useSendingRefusal()
  const unlessRefused = (decide: () => void) => () => {
    if (refusal === null) decide()
  }
  useKeys([
    { keys: 'a', label: words.approve, run: unlessRefused(onApprove) },
    { keys: 'r', label: words.reject, run: unlessRefused(onReject) },
  ])
  return (
    <>
      <div className={styles.aboveBar} />
      <div className={styles.bar}>
        <SendButton emphasis="primary" icon={<Check size={16} />} onPress={onApprove}>
          {words.approve} <DecisionKey>{words.approveKey}</DecisionKey>
        </SendButton>
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
