import { typedFormWords as words } from '../../core/messages/en/parts/typed-form.ts'
import { Button } from '../controls/button.tsx'
import styles from './panels.module.css'

export interface RestoredNoteProps {
  typed: { readonly isRestored: boolean; discard(): void }
}

/** Above a form that an earlier visit has filled in: where that comes from, and a way to begin anew. */
export function RestoredNote({ typed }: RestoredNoteProps) {
  if (!typed.isRestored) return null
  return (
    <p className={styles.restored}>
      <span>{words.restored}</span>
      <Button size="small" emphasis="quiet" onPress={typed.discard}>
        {words.startOver}
      </Button>
    </p>
  )
}
