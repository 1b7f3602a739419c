import type { IdText, WorkflowId } from '@troupe/contract'
import type { RevealedWebhook } from '@troupe/contract/builder'
import { triggerWords } from '../../../core/messages/en/workflows/triggers.ts'
import { ConfirmChange } from '../../../parts/confirm-change/confirm-change.tsx'

const words = triggerWords.webhook

export interface RotateWebhookProps {
  workflowId: IdText<WorkflowId>
  onClose(): void
}

/** Confirms the replacement of the signing secret, and shows the new one. */
export function RotateSecretDialog({
  workflowId,
  onClose,
  onRotated,
}: RotateWebhookProps & { onRotated(webhook: RevealedWebhook): void }) {
  return (
    <ConfirmChange
      operation="rotateWebhookSecret"
      input={{ params: { workflowId } }}
      refreshes={['getWebhook']}
      title={words.rotateSecretTitle}
      action={words.rotateSecretAction}
      isDanger={false}
      failed={words.rotateSecretFailed}
      done={words.rotatedSecret}
      onClose={onClose}
      onDone={(webhook) => {
        onRotated(webhook)
        onClose()
      }}
    >
      {words.rotateSecretText}
    </ConfirmChange>
  )
}

/** Confirms the replacement of the URL. */
export function RotateWebhookUrlDialog({ workflowId, onClose }: RotateWebhookProps) {
  return (
    <ConfirmChange
      operation="rotateWebhookToken"
      input={{ params: { workflowId } }}
      refreshes={['getWebhook', 'previewPublish']}
      title={words.rotateUrlTitle}
      action={words.rotateUrlAction}
      failed={words.rotateUrlFailed}
      done={words.rotatedUrl}
      onClose={onClose}
    >
      {words.rotateUrlText}
    </ConfirmChange>
  )
}
