import { useState } from 'react'
import { TextArea, TextField } from '../../atoms/controls/text-field.tsx'
import { FormDialog } from '../../atoms/overlays/form-dialog.tsx'
import { workflowPageWords as words } from '../../core/messages/en/workflows/page.ts'
import { fieldFailure, formFailure } from '../../infrastructure/client/field-failure.ts'
import { useChange } from '../../infrastructure/queries/use-operation.ts'
import type { WorkflowDialogProps } from './parts/workflow-dialog.ts'

/** Asks for the name of a workflow and what it is for. */
export function RenameWorkflowDialog({ workflow, onClose }: WorkflowDialogProps) {
  const { workflowId } = workflow
  const [name, setName] = useState(workflow.name)
  const [description, setDescription] = useState(workflow.description ?? '')
  const update = useChange('updateWorkflow', { refreshes: ['getWorkflow', 'listWorkflows'] })
  const submit = async () => {
    const body = { name, description: description === '' ? null : description }
    if (await update.run({ params: { workflowId }, body })) onClose()
  }
  return (
    <FormDialog
      title={words.renameTitle}
      onClose={onClose}
      action={words.renameAction}
      onSubmit={submit}
      isPending={update.isPending}
      isComplete={name.trim() !== ''}
      failed={words.renameFailed}
      failure={formFailure(update.failure, ['name', 'description'])}
    >
      <TextField
        label={words.nameLabel}
        value={name}
        onChange={setName}
        autoFocus
        isRequired
        maxLength={128}
        error={fieldFailure(update.failure, 'name')}
      />
      <TextArea
        label={words.descriptionLabel}
        value={description}
        onChange={setDescription}
        isOptional
        error={fieldFailure(update.failure, 'description')}
      />
    </FormDialog>
  )
}
