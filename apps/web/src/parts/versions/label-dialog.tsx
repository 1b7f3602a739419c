import type { AnyVersionId, IdText } from '@troupe/contract'
import { TextArea, TextField } from '../../atoms/controls/text-field.tsx'
import { FormDialog } from '../../atoms/overlays/form-dialog.tsx'
import { versionListWords as words } from '../../core/messages/en/parts/versions.ts'
import type { CallFailure } from '../../infrastructure/client/call-failure.ts'
import { formFailure } from '../../infrastructure/client/field-failure.ts'
import { controlsOf } from '../../infrastructure/drafts/controls-of.ts'
import { useTypedForm } from '../../infrastructure/drafts/use-typed-form.ts'

/** New values of the label and the note of a version; null removes one. */
export interface VersionWords {
  label?: string | null
  note?: string | null
}

export interface LabelDialogProps {
  version: {
    versionId: IdText<AnyVersionId>
    number: number | null
    label: string | null
    note: string | null
  }
  /** Maximum characters of the label and the note. */
  longest: { label: number; note: number }
  save: {
    /** False when it failed. */
    run(words: VersionWords): Promise<boolean>
    failure: CallFailure | null
    isPending: boolean
  }
  onClose(): void
}

/** A label to find a version by, and a note about it; an empty one is removed. */
export function LabelDialog({ version, longest, save, onClose }: LabelDialogProps) {
  const saved = { label: version.label ?? '', note: version.note ?? '' }
  const typed = useTypedForm(`version/${version.versionId}`, saved)
  const { label, note } = typed.fields
  const submit = async () => {
    // A colleague's note is kept when only the label is typed.
    const { changed } = typed
    const given = {
      ...(changed.label === undefined ? {} : { label: label.trim() || null }),
      ...(changed.note === undefined ? {} : { note: note.trim() || null }),
    }
    if (!(await save.run(given))) return
    typed.discard()
    onClose()
  }
  const control = controlsOf(typed, save.failure)
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
        {...control('label')}
        maxLength={longest.label}
        autoFocus
      />
      <TextArea label={words.noteName} isOptional {...control('note')} rows={5} maxLength={longest.note} />
    </FormDialog>
  )
}
