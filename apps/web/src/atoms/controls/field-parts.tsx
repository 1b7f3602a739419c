import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { FieldError, Label, Text } from 'react-aria-components'
import { atomWords as words } from '../../core/messages/en/atoms.ts'
import styles from './field.module.css'

/** What every field has around its control. */
export interface FieldWords {
  label: string
  /** One sentence below the control. */
  description?: ReactNode
  /** What is wrong with the value, as a sentence; null and undefined: nothing. */
  error?: string | null
  /** For fields whose place says what they are, such as a search. Screen readers still hear the label. */
  isLabelHidden?: boolean
}

/** The label of a field, inside a component of React Aria that labels its control. */
export function FieldLabel({ label, isOptional = false }: { label: string; isOptional?: boolean }) {
  return (
    <Label className={styles.label}>
      {label}
      {isOptional && <span className={styles.optional}> {words.optional}</span>}
    </Label>
  )
}

/** Description and error below a control. */
export function FieldNotes({ description, error }: Pick<FieldWords, 'description' | 'error'>) {
  return (
    <>
      {description && (
        <Text slot="description" className={styles.description}>
          {description}
        </Text>
      )}
      <FieldError className={styles.error ?? ''}>
        {({ validationErrors }) => (
          <>
            <CircleAlert size={14} aria-hidden="true" style={{ marginTop: 1 }} />
            <span>{error || validationErrors.join(' ')}</span>
          </>
        )}
      </FieldError>
    </>
  )
}
