import { CodeBlock } from '../../atoms/code/code-field.tsx'
import { Dialog } from '../../atoms/overlays/dialog.tsx'
import { textKey } from '../../core/forms/kept-texts.ts'
import type { SettingWords } from '../../core/forms/setting-words.ts'
import { changeLabel, type LabelOf } from '../../core/labels/change-label.ts'
import { inFormWords, valuesOfChanges } from '../../core/labels/value-text.ts'
import { unsavedDialogWords as words } from '../../core/messages/en/agents/unsaved-dialogs.ts'
import { useNamedWords } from '../../infrastructure/queries/use-named-words.ts'
import { unsavedCount } from './save-row.tsx'
import { SettingDiff } from './setting-diff.tsx'
import styles from './unsaved.module.css'
import type { ConfigDraft } from './use-config-draft.ts'

export interface ReviewDialogProps {
  draft: ConfigDraft
  labelOf: LabelOf
  wordsOf(path: string): SettingWords | undefined
  onClose(): void
}

/** The unsaved changes: each changed setting before and after, and the unparsable texts. */
export function ReviewDialog({ draft, labelOf, wordsOf, onClose }: ReviewDialogProps) {
  const namedWords = useNamedWords(wordsOf, valuesOfChanges(draft.changes))
  return (
    <Dialog isOpen onClose={onClose} title={words.reviewTitle} width="wide">
      {unsavedCount(draft) === 0 && <p>{words.reviewNone}</p>}
      {draft.changes.map((change) => (
        <SettingDiff
          key={`${change.path} ${change.kind}`}
          change={inFormWords(change, namedWords)}
          label={changeLabel(change, labelOf)}
        />
      ))}
      {draft.unread.list.map((text) => (
        <div key={textKey(text)} className={styles.change}>
          <h3>{text.label}</h3>
          <p>{text.isGone ? words.unreadGoneText : words.unreadText}</p>
          <CodeBlock label={text.label} text={text.text} />
        </div>
      ))}
    </Dialog>
  )
}
