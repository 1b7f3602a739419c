import { TextDiff } from '../../../atoms/diff/text-diff.tsx'
import { ConflictDialog } from '../../../atoms/overlays/conflict-dialog.tsx'
import { readableText } from '../../../core/format/readable-text.ts'
import { serverNow } from '../../../core/format/server-clock.ts'
import { relativeTime } from '../../../core/format/times.ts'
import { modelWords as words } from '../../../core/messages/en/settings/models.ts'
import {
  draftOfConfiguration,
  type HeaderRow,
  headersOfConfiguration,
} from '../../../core/models/model-draft.ts'
import type { ModelForm } from './use-model-form.ts'

export interface ModelConflictProps {
  form: ModelForm
  /** Saves on top of this version; `isJoined`: merged with the other user's changes. */
  onSave(version: number, isJoined?: boolean): void
  /** Reloads the stored version. */
  onAskAgain(): void
}

/** The dialog for another user's concurrent save; nothing without one. */
export function ModelConflict({ form, onSave, onAskAgain }: ModelConflictProps) {
  const { stored, save } = form
  const current = save.failure?.current ?? null
  if (!stored || !current) return null
  return (
    <ConflictDialog
      isOpen
      onClose={save.reset}
      who={current.changedBy?.name ?? null}
      when={relativeTime(current.changedAt, serverNow())}
      what={words.noun}
      // Merging with an older version would revert the other user's changes.
      isPending={save.isPending || stored.version < (current.number ?? 0)}
      onTakeTheirs={() => {
        form.discard()
        onAskAgain()
      }}
      onKeepMine={() => onSave(stored.version)}
      onMerge={() => onSave(stored.version, true)}
    >
      <p>{words.conflictLegend}</p>
      <TextDiff
        label={words.conflictDiff}
        before={readableText({
          ...draftOfConfiguration(stored),
          ...namesOf(headersOfConfiguration(form.provider, stored)),
        })}
        after={readableText({ ...form.draft, ...namesOf(form.headers) })}
        isMono
        around={1}
      />
    </ConflictDialog>
  )
}

/** Only the names: the server never returns values. */
function namesOf(headers: readonly HeaderRow[]): { headers?: string[] } {
  return headers.length === 0 ? {} : { headers: headers.map(({ name }) => name.trim()) }
}
