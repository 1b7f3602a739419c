import { typedFormWords as words } from '../../core/messages/en/parts/typed-form.ts'
import { Button } from '../controls/button.tsx'
import styles from './panels.module.css'
import { Callout } from './panels.tsx'

export interface ContestedNoteProps {
  /** The labels of the fields that somebody else saved while they were edited here. */
  fields: readonly string[]
  onTakeTheirs(): void
}

/** Reports that somebody else changed the very fields edited here; nothing without a conflict. */
export function ContestedNote({ fields, onTakeTheirs }: ContestedNoteProps) {
  if (fields.length === 0) return null
  return <Contested text={words.contested(fields)} onTakeTheirs={onTakeTheirs} />
}

/** The same for a short form whose fields are all visible. */
export function ContestedForm({ onTakeTheirs }: Pick<ContestedNoteProps, 'onTakeTheirs'>) {
  return <Contested text={words.contestedForm} onTakeTheirs={onTakeTheirs} />
}

function Contested({ text, onTakeTheirs }: { text: string; onTakeTheirs(): void }) {
  return (
    <Callout tone="warn">
      <div className={styles.contested}>
        <span>{text}</span>
        <Button size="small" onPress={onTakeTheirs}>
          {words.takeTheirs}
        </Button>
      </div>
    </Callout>
  )
}
