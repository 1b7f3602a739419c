import { TextArea, TextField } from '../../atoms/controls/text-field.tsx'
import { FormDialog } from '../../atoms/overlays/form-dialog.tsx'
import { workflowPageWords as words } from '../../core/messages/en/workflows/page.ts'
import { formFailure } from '../../infrastructure/client/field-failure.ts'
import { controlsOf } from '../../infrastructure/drafts/controls-of.ts'
import { useTypedForm } from '../../infrastructure/drafts/use-typed-form.ts'
import { useChange } from '../../infrastructure/queries/use-operation.ts'
import type { WorkflowDialogProps } from './parts/workflow-dialog.ts'

/** Edits the name and the description of a workflow. */
export function RenameWorkflowDialog({ workflow, onClose }: WorkflowDialogProps) {
  const { workflowId } = workflow
  const saved = { name: workflow.name, description: workflow.description ?? '' }
  const typed = useTypedForm(`workflow/${workflowId}/name`, saved)
  const { name } = typed.fields
  const update = useChange('updateWorkflow', { refreshes: ['getWorkflow', 'listWorkflows'] })
  const submit = async () => {
    // Only changed fields, so that a colleague's new name is kept if only the description is edited.
    const { name: named = workflow.name, description: written } = typed.changed
    const renamed = named.trim()
    const body = {
      ...(renamed === workflow.name ? {} : { name: renamed }),
      ...(written === undefined ? {} : { description: written || null }),
    }
    // An empty request is not a failure.
    const isChanged = Object.keys(body).length > 0
    if (isChanged && !(await update.run({ params: { workflowId }, body }))) return
    typed.discard()
    onClose()
  }
  const control = controlsOf(typed, update.failure)
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
      typed={typed}
    >
      <TextField label={words.nameLabel} {...control('name')} autoFocus isRequired maxLength={128} />
      <TextArea label={words.descriptionLabel} {...control('description')} isOptional />
    </FormDialog>
  )
}
