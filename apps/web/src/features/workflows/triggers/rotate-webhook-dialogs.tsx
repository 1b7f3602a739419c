import type { RevealedWebhook } from '@troupe/builder-contract'
import { ConfirmDialog } from '../../../atoms/overlays/confirm-dialog.tsx'
import { showNotice } from '../../../atoms/overlays/notice-store.ts'
import { triggerWords } from '../../../core/messages/en/workflows/triggers.ts'
import { useChange } from '../../../infrastructure/queries/use-operation.ts'

const words = triggerWords.webhook

export interface RotateWebhookProps {
  workflowId: string
  onClose(): void
}

/** Asks before the signing secret is replaced, and hands over the new one. */
export function RotateSecretDialog({
  workflowId,
  onClose,
  onRotated,
}: RotateWebhookProps & { onRotated(webhook: RevealedWebhook): void }) {
  const rotate = useChange('rotateWebhookSecret', { refreshes: ['getWebhook'] })
  const confirm = async () => {
    const rotated = await rotate.run({ params: { workflowId } })
    if (!rotated) return
    onRotated(rotated.answer)
    onClose()
    showNotice({ title: words.rotatedSecret })
  }
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={words.rotateSecretTitle}
      action={words.rotateSecretAction}
      isPending={rotate.isPending}
      failed={words.rotateSecretFailed}
      failure={rotate.failure}
      onConfirm={confirm}
    >
      {words.rotateSecretText}
    </ConfirmDialog>
  )
}

/** Asks before the address is replaced. */
export function RotateWebhookUrlDialog({ workflowId, onClose }: RotateWebhookProps) {
  const rotate = useChange('rotateWebhookToken', { refreshes: ['getWebhook', 'previewPublish'] })
  const confirm = async () => {
    if (!(await rotate.run({ params: { workflowId } }))) return
    onClose()
    showNotice({ title: words.rotatedUrl })
  }
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={words.rotateUrlTitle}
      action={words.rotateUrlAction}
      isDanger
      isPending={rotate.isPending}
      failed={words.rotateUrlFailed}
      failure={rotate.failure}
      onConfirm={confirm}
    >
      {words.rotateUrlText}
    </ConfirmDialog>
  )
}
