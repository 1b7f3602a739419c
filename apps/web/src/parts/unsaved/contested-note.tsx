import { Button } from '../../atoms/controls/button.tsx'
import { Callout } from '../../atoms/states/panels.tsx'
import { typedFormWords as words } from '../../core/messages/en/parts/typed-form.ts'
import styles from './unsaved.module.css'

export interface ContestedNoteProps {
  /** The labels of the fields that somebody else saved while they were edited here. */
  fields: readonly string[]
  onTakeTheirs(): void
}

/** Says that somebody else changed the very fields that are edited here; nothing while nobody did. */
export function ContestedNote({ fields, onTakeTheirs }: ContestedNoteProps) {
  if (fields.length === 0) return null
  return (
    <Callout tone="warn">
      <div className={styles.contested}>
        <span>{words.contested(fields)}</span>
        <Button size="small" onPress={onTakeTheirs}>
          {words.takeTheirs}
        </Button>
      </div>
    </Callout>
  )
}
