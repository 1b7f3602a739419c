import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { FieldError, Label, Text } from 'react-aria-components'
import { atomWords as words } from '../../core/messages/en/atoms.ts'
import styles from './field.module.css'

/** Parts of every field around its control. */
export interface FieldWords {
  label: string
  /** One sentence below the control. */
  description?: ReactNode
  /** The error of the value, as a sentence; null and undefined: none. */
  error?: string | null
  /** Hides the label for fields that are obvious, such as a search. Screen readers still read it. */
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
