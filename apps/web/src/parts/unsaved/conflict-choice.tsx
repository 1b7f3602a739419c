import { isSameJson } from '@troupe/editor/values/json-path'
import type { MergeChoice, MergeChoices, SettingConflict } from '@troupe/editor/values/merge-contents'
import { useState } from 'react'
import { RadioGroup } from '../../atoms/controls/choices.tsx'
import { SideText } from '../../atoms/diff/side-diff.tsx'
import { TextDiff } from '../../atoms/diff/text-diff.tsx'
import type { SettingWords } from '../../core/forms/setting-words.ts'
import {
  isShortValue,
  orderInWords,
  valueInWords,
  valueLines,
  valueText,
} from '../../core/labels/value-text.ts'
import { unsavedDialogWords as words } from '../../core/messages/en/agents/unsaved-dialogs.ts'
import styles from './unsaved.module.css'

/** The choice for the shown values: it does not apply to another value that they saved in the meantime. */
export function useMergeChoices(settings: readonly SettingConflict[]) {
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

export interface ConflictChoiceProps {
  setting: SettingConflict
  label: string
  who: string | null
  wordsOf(path: string): SettingWords | undefined
  value: MergeChoice
  onChange(choice: MergeChoice): void
}

/** One setting changed by two users: the selected value, and the common base. */
export function ConflictChoice({ setting, label, who, wordsOf, value, onChange }: ConflictChoiceProps) {
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
      {isShort && <p className={styles.hint}>{words.wasBefore(valueText(base))}</p>}
      {!isShort && (
        <TextDiff
          label={words.mergeChoice(label)}
          before={valueLines(value === 'mine' ? theirs : mine)}
          after={valueLines(value === 'mine' ? mine : theirs)}
          isMono={typeof (mine ?? base) !== 'string'}
          around={2}
        />
      )}
      {!isShort && <SideText title={words.before} text={valueText(base)} />}
    </div>
  )
}
