import type { LlmConfiguration } from '@troupe/contract/builder'
import { modelWords as words } from '../../../core/messages/en/settings/models.ts'
import { ConfirmChange } from '../../../parts/confirm-change/confirm-change.tsx'

export interface DeleteModelDialogProps {
  configuration: LlmConfiguration
  onClose(): void
  onDeleted(): void
}

/** Deletes an unused configuration. */
export function DeleteModelDialog({ configuration, onClose, onDeleted }: DeleteModelDialogProps) {
  const { llmConfigId, name } = configuration
  return (
    <ConfirmChange
      operation="deleteLlmConfiguration"
      input={{ params: { llmConfigId } }}
      refreshes={['listLlmConfigurations', 'getHome']}
      title={words.deleteTitle(name)}
      action={words.deleteAction}
      failed={words.deleteFailed}
      done={words.deleted(name)}
      onClose={onClose}
      onDone={onDeleted}
    >
      <p>{words.deleteDetail}</p>
    </ConfirmChange>
  )
}
