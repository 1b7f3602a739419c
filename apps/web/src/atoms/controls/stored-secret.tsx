import { CircleAlert, LockKeyhole } from 'lucide-react'
import type { ReactNode } from 'react'
import { classNames } from '../styles/class-names.ts'
import fieldStyles from './field.module.css'
import styles from './stored-secret.module.css'

export interface StoredSecretProps {
  label: string
  /** Its description: "••••wxyz, set 3 May". */
  text: string
  error?: string | null
  /** Buttons that replace or remove it. */
  children?: ReactNode
}

/** A secret that is stored and cannot be read, shown instead of its field. */
export function StoredSecret({ label, text, error, children }: StoredSecretProps) {
  return (
    <fieldset className={fieldStyles.field}>
      <legend className={classNames(fieldStyles.label, styles.legend)}>{label}</legend>
      <div className={classNames(styles.box, error && styles.invalid)}>
        <LockKeyhole size={14} aria-hidden="true" className={styles.lock} />
        <span className={styles.text}>{text}</span>
        {children}
      </div>
      {error && (
        <p className={fieldStyles.error} role="alert">
          <CircleAlert size={14} aria-hidden="true" style={{ marginTop: 1 }} />
          <span>{error}</span>
        </p>
      )}
    </fieldset>
  )
}
