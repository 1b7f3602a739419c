import { isSameJson } from '@troupe/editor/values/json-path'
import type { MergeChoice, MergeChoices, SettingConflict } from '@troupe/editor/values/merge-contents'
import { useState } from 'react'
import { Button } from '../../atoms/controls/button.tsx'
import { RadioGroup } from '../../atoms/controls/choices.tsx'
import { TextDiff } from '../../atoms/diff/text-diff.tsx'
import { focusNext } from '../../atoms/focus/focus-next.ts'
import { Dialog } from '../../atoms/overlays/dialog.tsx'
import { showNotice } from '../../atoms/overlays/notice-store.ts'
import { SendButton } from '../../atoms/overlays/send-button.tsx'
import { FailurePanel } from '../../atoms/states/failure-panel.tsx'
import { serverNow } from '../../core/format/server-clock.ts'
import { relativeTime } from '../../core/format/times.ts'
import type { SettingWords } from '../../core/forms/setting-words.ts'
import { conflictLabel, type LabelOf } from '../../core/labels/change-label.ts'
import {
  isShortValue,
  orderInWords,
  valueInWords,
  valueLines,
  valueText,
} from '../../core/labels/value-text.ts'
import { unsavedWords as words } from '../../core/messages/en/agents/unsaved.ts'
import { useNamedWords } from '../../infrastructure/queries/use-named-words.ts'
import { unsavedCount } from './save-row.tsx'
import styles from './unsaved.module.css'
import type { ConfigDraft, DraftConflict, SaveOutcome } from './use-config-draft.ts'

export interface MergeDialogProps {
  draft: ConfigDraft
  conflict: DraftConflict
  labelOf: LabelOf
  wordsOf(path: string): SettingWords | undefined
  /** Null: everything of theirs was taken. */
  onDecided(outcome: SaveOutcome | null): void
}

/** Settings that two people changed: whose value each of them gets. */
export function MergeDialog({ draft, conflict, labelOf, wordsOf, onDecided }: MergeDialogProps) {
  const { choices, choose } = useChoices(conflict.settings)
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
      title: words.changesDropped(unsavedCount(draft)),
      action: {
        label: words.undo,
        run: () => {
          bringBack()
          // The notice took its button along.
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
      title={words.mergeTitle(who, draft.kind, relativeTime(when, serverNow()))}
      width="wide"
      isDismissable={false}
      actions={
        <>
          <Button onPress={close}>{words.later}</Button>
          <Button onPress={takeTheirs} isDisabled={draft.isSaving}>
            {words.allTheirs}
          </Button>
          <SendButton emphasis="primary" isPending={draft.isSaving} onPress={() => void save()}>
            {words.saveMerged}
          </SendButton>
        </>
      }
    >
      <p>{words.mergeText(settings.length)}</p>
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

/** What was chosen for the values that are shown: of another one, which they saved meanwhile, nothing was said. */
function useChoices(settings: readonly SettingConflict[]) {
  const [chosen, setChosen] = useState<
    Readonly<Record<string, { choice: MergeChoice; of: SettingConflict }>>
  >({})
  const choices: MergeChoices = Object.fromEntries(
    settings.flatMap(({ id, mine, theirs }) => {
      const known = chosen[id]
      const isOfThese = known && isSameJson([known.of.mine, known.of.theirs], [mine, theirs])
      return isOfThese ? [[id, known.choice]] : []
    }),
  )
  const choose = (of: SettingConflict, choice: MergeChoice) =>
    setChosen((before) => ({ ...before, [of.id]: { choice, of } }))
  return { choices, choose }
}

interface ConflictChoiceProps {
  setting: SettingConflict
  label: string
  who: string | null
  wordsOf(path: string): SettingWords | undefined
  value: MergeChoice
  onChange(choice: MergeChoice): void
}

function ConflictChoice({ setting, label, who, wordsOf, value, onChange }: ConflictChoiceProps) {
  const { path, kind } = setting
  const shown = (side: unknown) =>
    kind === 'order' ? orderInWords(side, path, wordsOf) : valueInWords(side, path, wordsOf)
  const [base, mine, theirs] = [shown(setting.base), shown(setting.mine), shown(setting.theirs)]
  const isShort = isShortValue(mine) && isShortValue(theirs)
  const detail = (side: unknown) => {
    if (kind === 'item' && side === undefined) return { detail: words.removedItem }
    return isShort ? { detail: valueText(side) } : {}
  }
  return (
    <div className={styles.change}>
      <RadioGroup
        label={label}
        value={value}
        onChange={onChange}
        options={[
          { id: 'mine', label: words.mine, ...detail(mine) },
          { id: 'theirs', label: who ?? words.theirs, ...detail(theirs) },
        ]}
      />
      {!isShort && (
        <TextDiff
          label={words.mergeChoice(label)}
          before={valueLines(value === 'mine' ? theirs : mine)}
          after={valueLines(value === 'mine' ? mine : theirs)}
          isMono={typeof (mine ?? base) !== 'string'}
          around={2}
        />
      )}
    </div>
  )
}
