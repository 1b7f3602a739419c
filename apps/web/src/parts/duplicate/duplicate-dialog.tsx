import type { IdText, ProjectId } from '@troupe/contract'
import { TextField } from '../../atoms/controls/text-field.tsx'
import { FormDialog } from '../../atoms/overlays/form-dialog.tsx'
import { duplicateWords as words } from '../../core/messages/en/parts/duplicate.ts'
import type { CallFailure } from '../../infrastructure/client/call-failure.ts'
import { formFailure } from '../../infrastructure/client/field-failure.ts'
import { controlsOf } from '../../infrastructure/drafts/controls-of.ts'
import { useTypedForm } from '../../infrastructure/drafts/use-typed-form.ts'
import { ProjectField } from '../project-field/project-field.tsx'

export interface DuplicateDialogProps {
  original: { id: string; name: string; projectId: IdText<ProjectId> | null }
  failed: string
  failure: CallFailure | null
  isPending: boolean
  /** Without a name, the copy gets the name of the original with a suffix. Resolves with whether it was created. */
  onDuplicate(copy: { name?: string; projectId: IdText<ProjectId> | null }): Promise<boolean>
  onClose(): void
}

/** Selects the name and the project of a copy. */
export function DuplicateDialog(props: DuplicateDialogProps) {
  const { original, failed, failure, isPending, onDuplicate, onClose } = props
  const typed = useTypedForm(`duplicate/${original.id}`, { name: '', projectId: original.projectId })
  const { name, projectId } = typed.fields
  const submit = async () => {
    const isMade = await onDuplicate({ ...(name.trim() === '' ? {} : { name }), projectId })
    if (isMade) typed.discard()
  }
  const control = controlsOf(typed, failure)
  return (
    <FormDialog
      title={words.title(original.name)}
      onClose={onClose}
      action={words.action}
      onSubmit={submit}
      isPending={isPending}
      failed={failed}
      failure={formFailure(failure, ['name', 'projectId'])}
      typed={typed}
    >
      <TextField
        label={words.name}
        description={words.nameDetail}
        {...control('name')}
        autoFocus
        isOptional
        maxLength={128}
      />
      <ProjectField
        label={words.project}
        wholeOrganization={words.wholeOrganization}
        {...control('projectId')}
      />
    </FormDialog>
  )
}
