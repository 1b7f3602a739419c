import type { LlmConfiguration } from '@troupe/builder-contract'
import { ConfirmDialog } from '../../../atoms/overlays/confirm-dialog.tsx'
import { showNotice } from '../../../atoms/overlays/notice-store.ts'
import { modelWords as words } from '../../../core/messages/en/settings/models.ts'
import { useChange } from '../../../infrastructure/queries/use-operation.ts'

export interface DeleteModelDialogProps {
  configuration: LlmConfiguration
  onClose(): void
  onDeleted(): void
}

/** Deletes a configuration that nothing uses. */
export function DeleteModelDialog({ configuration, onClose, onDeleted }: DeleteModelDialogProps) {
  const { llmConfigId, name } = configuration
  const remove = useChange('deleteLlmConfiguration', { refreshes: ['listLlmConfigurations', 'getHome'] })
  const confirm = async () => {
    if (!(await remove.run({ params: { llmConfigId } }))) return
    showNotice({ title: words.deleted(name) })
    onDeleted()
  }
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={words.deleteTitle(name)}
      action={words.deleteAction}
      isDanger
      isPending={remove.isPending}
      failed={words.deleteFailed}
      failure={remove.failure}
      onConfirm={confirm}
    >
      <p>{words.deleteDetail}</p>
    </ConfirmDialog>
  )
}
