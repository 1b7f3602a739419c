import type { WorkflowVersion } from '@troupe/contract'
import { TextArea, TextField } from '../../../atoms/controls/text-field.tsx'
import { FormDialog } from '../../../atoms/overlays/form-dialog.tsx'
import { versionWords as words } from '../../../core/messages/en/workflows/publish.ts'
import { fieldFailure, formFailure } from '../../../infrastructure/client/field-failure.ts'
import { useTypedForm } from '../../../infrastructure/drafts/use-typed-form.ts'
import { useChange } from '../../../infrastructure/queries/use-operation.ts'

export type DescribedVersion = Pick<WorkflowVersion, 'workflowId' | 'versionId' | 'number' | 'label' | 'note'>

/** The label and the note of a version; its graph never changes. */
export function DescribeVersionDialog({ version, onClose }: { version: DescribedVersion; onClose(): void }) {
  const { workflowId, versionId, number } = version
  const saved = { label: version.label ?? '', note: version.note ?? '' }
  const typed = useTypedForm(`version/${version.versionId}`, saved)
  const { label, note } = typed.fields
  const describe = useChange('describeWorkflowVersion', {
    refreshes: ['listWorkflowVersions', 'listWorkflowTimeline'],
  })
  const submit = async () => {
    // A colleague's note stays when only the label is typed.
    const { changed } = typed
    const body = {
      ...(changed.label === undefined ? {} : { label: label.trim() || null }),
      ...(changed.note === undefined ? {} : { note: note.trim() === '' ? null : note }),
    }
    if (!(await describe.run({ params: { workflowId, versionId }, body }))) return
    typed.discard()
    onClose()
  }
  return (
    <FormDialog
      title={words.describeTitle(number)}
      onClose={onClose}
      action={words.describeAction}
      onSubmit={submit}
      isPending={describe.isPending}
      failed={words.describeFailed}
      failure={formFailure(describe.failure, ['label', 'note'])}
      typed={typed}
    >
      <TextField
        label={words.label}
        value={label}
        onChange={(next) => typed.change({ label: next })}
        autoFocus
        isOptional
        maxLength={128}
        error={fieldFailure(describe.failure, 'label')}
      />
      <TextArea
        label={words.note}
        value={note}
        onChange={(next) => typed.change({ note: next })}
        isOptional
        rows={6}
        maxLength={10_000}
        error={fieldFailure(describe.failure, 'note')}
      />
    </FormDialog>
  )
}
