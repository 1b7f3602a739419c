import type { SettingChange } from '@troupe/editor/values/config-content'
import { ArrowRight } from 'lucide-react'
import { TextDiff } from '../../atoms/diff/text-diff.tsx'
import { isShortValue, valueLines, valueText } from '../../core/labels/value-text.ts'
import { unsavedDialogWords as words } from '../../core/messages/en/agents/unsaved-dialogs.ts'
import styles from './unsaved.module.css'

const AROUND = 3

/** One setting before and after: on one line where both are short, else as a comparison of lines. */
export function SettingDiff({ change, label }: { change: SettingChange; label: string }) {
  const { before, after } = change
  const isShort = isShortValue(before) && isShortValue(after)
  return (
    <div className={styles.change}>
      <h3>{label}</h3>
      {isShort ? (
        <p className={styles.inline}>
          <span className="visually-hidden">{words.becomes(valueText(before), valueText(after))}</span>
          <span aria-hidden="true" className={(before ?? null) === null ? styles.hint : styles.removed}>
            {valueText(before)}
          </span>
          <ArrowRight size={14} aria-hidden="true" />
          <span aria-hidden="true" className={styles.added}>
            {valueText(after)}
          </span>
        </p>
      ) : (
        <TextDiff
          label={label}
          before={valueLines(before)}
          after={valueLines(after)}
          isMono={typeof (after ?? before) !== 'string'}
          around={AROUND}
        />
      )}
    </div>
  )
}
