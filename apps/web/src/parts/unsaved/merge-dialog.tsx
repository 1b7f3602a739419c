import { Button } from '../../atoms/controls/button.tsx'
import { focusNext } from '../../atoms/focus/focus-next.ts'
import { Dialog } from '../../atoms/overlays/dialog.tsx'
import { showNotice } from '../../atoms/overlays/notice-store.ts'
import { SendButton } from '../../atoms/overlays/send-button.tsx'
import { FailurePanel } from '../../atoms/states/failure-panel.tsx'
import { serverNow } from '../../core/format/server-clock.ts'
import { relativeTime } from '../../core/format/times.ts'
import type { SettingWords } from '../../core/forms/setting-words.ts'
import { conflictLabel, type LabelOf } from '../../core/labels/change-label.ts'
import { unsavedWords as words } from '../../core/messages/en/agents/unsaved.ts'
import { unsavedDialogWords as dialogWords } from '../../core/messages/en/agents/unsaved-dialogs.ts'
import { useNamedWords } from '../../infrastructure/queries/use-named-words.ts'
import { ConflictChoice, useMergeChoices } from './conflict-choice.tsx'
import { unsavedCount } from './save-row.tsx'
import type { ConfigDraft, DraftConflict, SaveOutcome } from './use-config-draft.ts'

export interface MergeDialogProps {
  draft: ConfigDraft
  conflict: DraftConflict
  labelOf: LabelOf
  wordsOf(path: string): SettingWords | undefined
  /** Null: all of their values were selected. */
  onDecided(outcome: SaveOutcome | null): void
}

/** Settings changed by two users, each with a choice of its value. */
export function MergeDialog({ draft, conflict, labelOf, wordsOf, onDecided }: MergeDialogProps) {
  const { choices, choose } = useMergeChoices(conflict.settings)
  const { who, when, settings, close } = conflict
  const namedWords = useNamedWords(
    wordsOf,
    settings.flatMap(({ path, base, mine, theirs }) =>
      [base, mine, theirs].map((value) => ({ path, value })),
    ),
  )
  const save = async () => {
    const outcome = await conflict.resolve(choices)
    if (outcome) onDecided(outcome)
  }
  const takeTheirs = () => {
    const bringBack = draft.discard()
    showNotice({
      title: dialogWords.changesDropped(unsavedCount(draft)),
      action: {
        label: words.undo,
        run: () => {
          bringBack()
          // The notice was removed with its button.
          focusNext(() => document.querySelector('[data-save-bar] button'))
        },
      },
    })
    onDecided(null)
  }
  return (
    <Dialog
      isOpen
      onClose={close}
      title={dialogWords.mergeTitle(who, draft.kind, relativeTime(when, serverNow()))}
      width="wide"
      isDismissable={false}
      actions={
        <>
          <Button emphasis="quiet" onPress={close}>
            {dialogWords.later}
          </Button>
          <Button onPress={takeTheirs} isDisabled={draft.isSaving}>
            {dialogWords.allTheirs}
          </Button>
          <SendButton emphasis="primary" isPending={draft.isSaving} onPress={() => void save()}>
            {dialogWords.saveMerged}
          </SendButton>
        </>
      }
    >
      <p>{dialogWords.mergeText(settings.length)}</p>
      <FailurePanel title={words.failed} failure={draft.failure} />
      {settings.map((setting) => (
        <ConflictChoice
          key={setting.id}
          setting={setting}
          wordsOf={namedWords}
          label={conflictLabel(setting, labelOf)}
          who={who}
          value={choices[setting.id] ?? 'mine'}
          onChange={(choice) => choose(setting, choice)}
        />
      ))}
    </Dialog>
  )
}
