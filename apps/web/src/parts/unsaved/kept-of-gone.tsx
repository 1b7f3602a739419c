import type { JsonObject } from '@troupe/contract'
import { CodeBlock } from '../../atoms/code/code-field.tsx'
import { Button } from '../../atoms/controls/button.tsx'
import { Card, Section } from '../../atoms/layout/page.tsx'
import type { EditedKind } from '../../core/forms/check-content.ts'
import { changesBetween } from '../../core/forms/config-content.ts'
import { valueLines, valueText } from '../../core/labels/value-text.ts'
import { unsavedWords as words } from '../../core/messages/en/agents/unsaved.ts'
import { useDraft } from '../../infrastructure/drafts/use-draft.ts'
import { isKeptEdit } from './kept-edit.ts'

export interface KeptOfGoneProps {
  kind: EditedKind
  /** As the address has it. */
  id: string
  /** The words of a setting, by its path in the edit, which begins with `config`. */
  labelOf(path: string, config: JsonObject): string
}

/** What this browser keeps of an edit of something that somebody else deleted: to copy, or to forget. */
export function KeptOfGone({ kind, id, labelOf }: KeptOfGoneProps) {
  const { value, discard } = useDraft(`${kind}/${id.toLowerCase()}`, isKeptEdit)
  if (value === null) return null
  const { mine, from } = value
  return (
    <Section
      title={words.goneTitle}
      detail={words.goneDetail}
      actions={
        <Button size="small" onPress={discard}>
          {words.forget}
        </Button>
      }
    >
      <Card>
        {changesBetween(from, mine).map(({ path, after }) => (
          <div key={path}>
            <h3>{labelOf(path, mine.config)}</h3>
            <CodeBlock
              label={labelOf(path, mine.config)}
              text={valueLines(after) || valueText(after)}
              isWrapped
            />
          </div>
        ))}
      </Card>
    </Section>
  )
}
