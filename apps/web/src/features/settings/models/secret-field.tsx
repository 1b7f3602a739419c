import type { LlmConfiguration, ProviderForm } from '@troupe/contract/builder'
import { Button } from '../../../atoms/controls/button.tsx'
import { StoredSecret } from '../../../atoms/controls/stored-secret.tsx'
import { TextField } from '../../../atoms/controls/text-field.tsx'
import { serverNow } from '../../../core/format/server-clock.ts'
import { shortDate } from '../../../core/format/times.ts'
import { modelWords as words } from '../../../core/messages/en/settings/models.ts'
import styles from './models.module.css'

type ConnectionField = ProviderForm['credentials'][number]

export interface SecretFieldProps {
  field: ConnectionField
  /** The server's description of the stored secret; null: none. */
  state: LlmConfiguration['credentialFields'][number] | null
  /** undefined: the stored one is kept; null: it is removed. */
  value: string | null | undefined
  onChange(value: string | null | undefined): void
  /** Whether it explains the storage of secrets; once per page is enough. */
  hasNote: boolean
  error: string | null
}

/** A write-only secret. It is only in the state of the form. */
export function SecretField({ field, state, value, onChange, hasNote, error }: SecretFieldProps) {
  const { label, required } = field
  const isStored = state?.isSet ?? false
  if (isStored && (value === undefined || value === null)) {
    const text =
      value === null
        ? words.willBeRemoved
        : words.stored(state?.hint ?? '', state?.setAt ? shortDate(state.setAt, serverNow()) : null)
    return (
      <StoredSecret label={label} text={text} error={error}>
        {value === null ? (
          <Button size="small" onPress={() => onChange(undefined)}>
            {words.undo}
          </Button>
        ) : (
          <>
            <Button size="small" aria-label={words.replaceLabel(label)} onPress={() => onChange('')}>
              {words.replace}
            </Button>
            {!required && (
              <Button
                size="small"
                emphasis="quiet"
                aria-label={words.removeLabel(label)}
                onPress={() => onChange(null)}
              >
                {words.remove}
              </Button>
            )}
          </>
        )}
      </StoredSecret>
    )
  }
  return (
    <div className={styles.secret}>
      <TextField
        label={label}
        isSecret
        autoComplete="off"
        isMono
        isOptional={!required}
        autoFocus={isStored}
        value={value ?? ''}
        onChange={(text) => onChange(text === '' && !isStored ? undefined : text)}
        {...(hasNote ? { description: words.credentialDetail } : {})}
        error={error}
      />
      {isStored && (
        <Button size="small" emphasis="quiet" onPress={() => onChange(undefined)}>
          {words.keep}
        </Button>
      )}
    </div>
  )
}
