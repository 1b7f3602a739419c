import { ShieldQuestionMark } from 'lucide-react'
import { useRef, useState } from 'react'
import { CodeBlock } from '../../atoms/code/code-field.tsx'
import { Button } from '../../atoms/controls/button.tsx'
import { TextField } from '../../atoms/controls/text-field.tsx'
import { focusNext, useFocusAfter } from '../../atoms/focus/focus-next.ts'
import { RefusableButton } from '../../atoms/overlays/refusable-button.tsx'
import { FailurePanel } from '../../atoms/states/failure-panel.tsx'
import { serverNow } from '../../core/format/server-clock.ts'
import { relativeTime } from '../../core/format/times.ts'
import { playgroundWords as words } from '../../core/messages/en/parts/playground.ts'
import type { ApprovalOfCall, ToolStep } from '../../core/runs/run-view.ts'
import { useChange } from '../../infrastructure/queries/use-operation.ts'
import { useRefusal } from '../../infrastructure/queries/use-refusal.ts'
import styles from './playground.module.css'

export interface ApprovalQuestionProps {
  toolName: string
  args: ToolStep['args']
  approval: ApprovalOfCall
  /** The next focus after the decision, whose result replaces the prompt. */
  next(): Element | null | undefined
}

/** A call that waits for a decision, decided in place. The run continues by itself. */
export function ApprovalQuestion({ toolName, args, approval, next }: ApprovalQuestionProps) {
  const question = useRef<HTMLFieldSetElement>(null)
  useFocusAfter(question, next)
  const [reason, setReason] = useState<string | null>(null)
  const resolve = useChange('resolveApproval', { refreshes: ['listApprovals', 'getApproval', 'getHome'] })
  const { approvalId, expiresAt } = approval
  const decide = (decision: 'approve' | 'reject') =>
    void resolve.run({
      params: { approvalId },
      body: { decision, ...(decision === 'reject' && reason ? { reason } : {}) },
    })
  const refusal = useRefusal('decide')
  return (
    <fieldset ref={question} className={styles.approval} aria-label={words.approval(toolName)}>
      <p className={styles.line}>
        <ShieldQuestionMark size={16} aria-hidden="true" />
        <strong>{words.approval(toolName)}</strong>
      </p>
      <CodeBlock label={`${toolName}: ${words.asked}`} text={JSON.stringify(args, null, 2)} isWrapped />
      <p className={styles.quiet}>{words.approvalDetail(relativeTime(expiresAt, serverNow()))}</p>
      {reason !== null && (
        <TextField
          label={words.rejectReason}
          isOptional
          value={reason}
          onChange={setReason}
          maxLength={2_000}
          autoFocus
        />
      )}
      <FailurePanel title={words.approvalFailed} failure={resolve.failure} />
      <div className={styles.examples}>
        {reason === null && (
          <RefusableButton
            refusal={refusal}
            emphasis="primary"
            isPending={resolve.isPending}
            onPress={() => decide('approve')}
          >
            {words.approve}
          </RefusableButton>
        )}
        <RefusableButton
          refusal={refusal}
          emphasis={reason === null ? 'secondary' : 'danger'}
          isPending={reason !== null && resolve.isPending}
          onPress={() => (reason === null ? setReason('') : decide('reject'))}
        >
          {words.reject}
        </RefusableButton>
        {reason !== null && (
          <Button
            emphasis="quiet"
            onPress={() => {
              setReason(null)
              // The last one is "Reject".
              focusNext(() => [...(question.current?.querySelectorAll('button') ?? [])].at(-1))
            }}
          >
            {words.cancelEdit}
          </Button>
        )}
      </div>
    </fieldset>
  )
}
