import type { WorkflowVersion } from '@troupe/contract'
import { useState } from 'react'
import { TextArea, TextField } from '../../../atoms/controls/text-field.tsx'
import { FormDialog } from '../../../atoms/overlays/form-dialog.tsx'
import { versionWords as words } from '../../../core/messages/en/workflows/publish.ts'
import { fieldFailure, formFailure } from '../../../infrastructure/client/field-failure.ts'
import { useChange } from '../../../infrastructure/queries/use-operation.ts'

/** The label and the note of a version; its graph never changes. */
export function DescribeVersionDialog({ version, onClose }: { version: WorkflowVersion; onClose(): void }) {
  const { workflowId, versionId, number } = version
  const [label, setLabel] = useState(version.label ?? '')
  const [note, setNote] = useState(version.note ?? '')
  const describe = useChange('describeWorkflowVersion', { refreshes: ['listWorkflowVersions'] })
  const submit = async () => {
    const body = { label: label.trim() || null, note: note.trim() === '' ? null : note }
    if (await describe.run({ params: { workflowId, versionId }, body })) onClose()
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
    >
      <TextField
        label={words.label}
        value={label}
        onChange={setLabel}
        autoFocus
        isOptional
        maxLength={128}
        error={fieldFailure(describe.failure, 'label')}
      />
      <TextArea
        label={words.note}
        value={note}
        onChange={setNote}
        isOptional
        rows={6}
        maxLength={10_000}
        error={fieldFailure(describe.failure, 'note')}
      />
    </FormDialog>
  )
}
