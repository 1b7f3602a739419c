import { typedFormWords as words } from '../../core/messages/en/parts/typed-form.ts'
import { Button } from '../controls/button.tsx'
import styles from './panels.module.css'

export interface RestoredNoteProps {
  typed: { readonly isRestored: boolean; discard(): void }
}

/** Above a form with restored input: its origin, and a button to start over. */
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
