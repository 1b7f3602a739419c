import type { JsonObject } from '@troupe/contract'
import { changesBetween, type SettingChange } from '@troupe/editor/values/config-content'
import { CodeBlock } from '../../atoms/code/code-field.tsx'
import { Button } from '../../atoms/controls/button.tsx'
import { Card, Section } from '../../atoms/layout/page.tsx'
import type { EditedKind } from '../../core/forms/check-content.ts'
import { changeLabel } from '../../core/labels/change-label.ts'
import { orderInWords, valueLines, valueText } from '../../core/labels/value-text.ts'
import { unsavedDialogWords as words } from '../../core/messages/en/agents/unsaved-dialogs.ts'
import { syncedKey } from '../../infrastructure/drafts/unsent-drafts.ts'
import { useDraft, useForgetDraft } from '../../infrastructure/drafts/use-draft.ts'
import { isKeptEdit } from './kept-edit.ts'

export interface KeptOfGoneProps {
  kind: EditedKind
  /** The id from the address. */
  id: string
  /** Like `LabelOf`, with the configuration of the edit. */
  labelOf(path: string, config: JsonObject, item?: unknown): string
}

/** This browser's stored edit of a resource deleted by somebody else: to copy, or to discard. */
export function KeptOfGone({ kind, id, labelOf }: KeptOfGoneProps) {
  const key = `${kind}/${id.toLowerCase()}`
  const { value, discard } = useDraft(key, isKeptEdit)
  const forgetDraft = useForgetDraft()
  if (value === null) return null
  const { mine, from } = value
  const forget = () => {
    discard()
    // The copy on which the browser and the server had agreed has the same input.
    forgetDraft(syncedKey(key))
  }
  return (
    <Section
      title={words.goneTitle}
      detail={words.goneDetail}
      actions={
        <Button size="small" onPress={forget}>
          {words.forget}
        </Button>
      }
    >
      <Card>
        {changesBetween(from, mine).map((change) => {
          const label = changeLabel(change, (path, item) => labelOf(path, mine.config, item))
          return (
            <div key={`${change.path} ${change.kind}`}>
              <h3>{label}</h3>
              <CodeBlock label={label} text={keptText(change)} isWrapped />
            </div>
          )
        })}
      </Card>
    </Section>
  )
}

/** The values that a save would have stored; for a removed item, its previous ones. */
function keptText({ path, kind, before, after }: SettingChange): string {
  if (kind === 'order') return orderInWords(after, path, () => undefined)
  const value = kind === 'removed' ? before : after
  return valueLines(value) || valueText(value)
}
