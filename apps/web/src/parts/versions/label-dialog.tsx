import type { Version } from '@troupe/contract/builder'
import { TextArea, TextField } from '../../atoms/controls/text-field.tsx'
import { FormDialog } from '../../atoms/overlays/form-dialog.tsx'
import type { ConfigKind } from '../../core/forms/check-content.ts'
import { configVersionWords as words } from '../../core/messages/en/parts/versions.ts'
import { fieldFailure, formFailure } from '../../infrastructure/client/field-failure.ts'
import { useTypedForm } from '../../infrastructure/drafts/use-typed-form.ts'
import { useLabelVersion } from './version-source.ts'

export interface LabelDialogProps {
  kind: ConfigKind
  id: string
  version: Version
  onClose(): void
}

/** A label to find a version by, and a note about it; an empty one is removed. */
export function LabelDialog({ kind, id, version, onClose }: LabelDialogProps) {
  const saved = { label: version.label ?? '', note: version.note ?? '' }
  const typed = useTypedForm(`version/${version.versionId}`, saved)
  const { label, note } = typed.fields
  const save = useLabelVersion(kind, id)
  const submit = async () => {
    // A colleague's note stays when only the label is typed.
    const { changed } = typed
    const given = {
      ...(changed.label === undefined ? {} : { label: label.trim() || null }),
      ...(changed.note === undefined ? {} : { note: note.trim() || null }),
    }
    if (!(await save.run(version.versionId, given))) return
    typed.discard()
    onClose()
  }
  return (
    <FormDialog
      title={words.labelTitle(words.version(version.number))}
      onClose={onClose}
      action={words.labelAction}
      onSubmit={() => void submit()}
      isPending={save.isPending}
      failed={words.labelFailed}
      failure={formFailure(save.failure, ['label', 'note'])}
      typed={typed}
    >
      <TextField
        label={words.labelName}
        description={words.labelDetail}
        isOptional
        value={label}
        onChange={(next) => typed.change({ label: next })}
        maxLength={100}
        autoFocus
        error={fieldFailure(save.failure, 'label')}
      />
      <TextArea
        label={words.noteName}
        isOptional
        value={note}
        onChange={(next) => typed.change({ note: next })}
        maxLength={2_000}
        error={fieldFailure(save.failure, 'note')}
      />
    </FormDialog>
  )
}
