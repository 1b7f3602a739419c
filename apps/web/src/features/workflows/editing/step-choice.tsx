import type { StepDecision } from '@troupe/editor/merge/decide-conflicts'
import type { StepConflict } from '@troupe/editor/merge/rebase'
import { NODE_TYPES } from '@troupe/nodes/definitions'
import { CodeField } from '../../../atoms/code/code-field.tsx'
import { RadioGroup } from '../../../atoms/controls/choices.tsx'
import { TextArea } from '../../../atoms/controls/text-field.tsx'
import { SideDiff } from '../../../atoms/diff/side-diff.tsx'
import { readTypedJson } from '../../../core/forms/typed-json.ts'
import { conflictLabel } from '../../../core/labels/change-label.ts'
import { orderInWords, valueInWords, valueText } from '../../../core/labels/value-text.ts'
import { unsavedDialogWords } from '../../../core/messages/en/agents/unsaved-dialogs.ts'
import { mergeWords as words } from '../../../core/messages/en/workflows/outline.ts'
import { stepPlace, titleOf } from '../../../core/workflows/findings.ts'
import styles from '../../../parts/unsaved/unsaved.module.css'

/** The choice for one conflict; `text` is the value typed for *Edit*, as text or JSON. */
export type MergeAnswer = { kind: 'mine' } | { kind: 'theirs' } | { kind: 'edit'; text: string }

export interface StepChoiceProps {
  conflict: StepConflict
  who: string | null
  answer: MergeAnswer
  onChange(answer: MergeAnswer): void
  /** The step is kept as a copy, so the setting gets their value. */
  isCopied: boolean
}

/** One contested setting, or a step removed by one side: both values and the choice. */
export function StepChoice({ conflict, who, answer, onChange, isCopied }: StepChoiceProps) {
  const { kind, nodeName, base, theirs, setting } = conflict
  if (kind !== 'setting' || setting === null) {
    const fate = kind === 'setting' ? 'removedByMe' : kind
    return (
      <>
        <p>{words.removed[fate]}</p>
        <RadioGroup
          label={words.what(nodeName)}
          value={answer.kind}
          onChange={(id) => onChange({ kind: id === 'theirs' ? 'theirs' : 'mine' })}
          options={[
            { id: 'mine', label: words.keep[fate] },
            { id: 'theirs', label: words.give[fate] },
          ]}
        />
      </>
    )
  }
  const schema = NODE_TYPES.get((theirs ?? base)?.type ?? '')?.schema ?? {}
  const labelOf = (path: string) => titleOf(stepPlace(schema, path)) ?? path.replace(/^config\./, '')
  const wordsOf = (path: string) => ({ label: labelOf(path) })
  const label = conflictLabel(setting, labelOf)
  const shown = (side: unknown) => {
    if (setting.kind === 'item' && side === undefined) return unsavedDialogWords.removedItem
    const worded =
      setting.kind === 'order'
        ? orderInWords(side, setting.path, wordsOf)
        : valueInWords(side, setting.path, wordsOf)
    return valueText(worded)
  }
  // An item without one was added on both sides, not removed.
  const shownBefore = setting.base === undefined ? valueText(undefined) : shown(setting.base)
  const choose = (id: MergeAnswer['kind']) =>
    onChange(id === 'edit' ? { kind: id, text: editedText(conflict) } : { kind: id })
  return (
    <div className={styles.change}>
      <b>{label}</b>
      <SideDiff
        sides={[
          { title: unsavedDialogWords.mine, text: shown(setting.mine) },
          { title: who ?? unsavedDialogWords.theirs, text: shown(setting.theirs) },
        ]}
        before={{ title: unsavedDialogWords.before, text: shownBefore }}
      />
      {!isCopied && (
        <RadioGroup
          label={unsavedDialogWords.mergeChoice(label)}
          isLabelHidden
          value={answer.kind}
          onChange={choose}
          options={[
            { id: 'mine', label: words.keepMine },
            { id: 'theirs', label: words.takeTheirs },
            ...(isEditable(conflict) ? [{ id: 'edit' as const, label: words.edit }] : []),
          ]}
        />
      )}
      {!isCopied && answer.kind === 'edit' && (
        <EditedValue
          label={words.edited(label)}
          isText={isText(conflict)}
          text={answer.text}
          onChange={(text) => onChange({ kind: 'edit', text })}
        />
      )}
    </div>
  )
}

interface EditedValueProps {
  label: string
  isText: boolean
  text: string
  onChange(text: string): void
}

function EditedValue({ label, isText: isPlain, text, onChange }: EditedValueProps) {
  if (isPlain) return <TextArea label={label} value={text} onChange={onChange} rows={3} autoFocus />
  const read = readTypedJson(text)
  return (
    <CodeField
      label={label}
      description={words.editedJson}
      language="json"
      value={text}
      onChange={onChange}
      minLines={3}
      maxLines={16}
      error={read.ok ? undefined : (read.fault ?? words.notJson)}
    />
  )
}

/** The name and the values of settings can be edited; types, frames, orders and removed items can only be selected. */
function isEditable({ setting }: StepConflict): boolean {
  if (setting === null || setting.kind === 'order') return false
  const isValue = setting.path === 'name' || setting.path.startsWith('config.')
  return isValue && setting.mine !== undefined && setting.theirs !== undefined
}

/** Both values are texts, so a third one is typed without JSON. */
const isText = ({ setting }: StepConflict) =>
  typeof setting?.mine === 'string' && typeof setting.theirs === 'string'

function editedText(conflict: StepConflict): string {
  const mine = conflict.setting?.mine
  return isText(conflict) ? String(mine) : JSON.stringify(mine ?? null, null, 2)
}

/** The decision for an answer; null: the typed JSON is invalid. */
export function decisionOf(conflict: StepConflict, answer: MergeAnswer): StepDecision | null {
  if (answer.kind !== 'edit') return answer.kind
  if (isText(conflict)) return { value: answer.text }
  const read = readTypedJson(answer.text)
  return read.ok ? { value: read.value } : null
}
