import type { CredentialId, IdText, ProjectId } from '@troupe/contract'
import type { ReactNode } from 'react'
import { TextLink } from '../../atoms/controls/text-link.tsx'
import { Callout } from '../../atoms/states/panels.tsx'
import { pickerWords } from '../../core/messages/en/resources/pickers.ts'
import { isHostCovered } from '../../core/tools/is-host-covered.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import styles from './pickers.module.css'
import { SearchPicker } from './search-picker.tsx'
import { CREDENTIALS } from './searched-lists.ts'
import { isUsableIn } from './usable-in.ts'
import { useChoices } from './use-choices.ts'

const words = pickerWords.credentials

export interface CredentialPickerProps {
  label: string
  description?: ReactNode
  error?: string | null
  /** null: none. */
  value: string | null
  onChange(credentialId: IdText<CredentialId> | null): void
  /** The project of the agent; null: it belongs to the organization. */
  projectId: IdText<ProjectId> | null
  /** Its destination; a credential for other hosts gets a warning. */
  url?: string
  isDisabled?: boolean
}

/** The credential that a tool sends. */
export function CredentialPicker(props: CredentialPickerProps) {
  const { value, onChange, projectId, url, error, ...field } = props
  const { paths } = usePlace()
  const credentials = useChoices(CREDENTIALS, value ? [value] : [])
  const host = url && URL.canParse(url) ? new URL(url).hostname : null
  const known = value === null ? undefined : credentials.thing(value)
  const chosen = known && isUsableIn(projectId, known) ? known : undefined
  const isGone = value !== null && !chosen && (known !== undefined || credentials.isGone(value))
  return (
    <div className={styles.stack}>
      <SearchPicker
        {...field}
        isOptional
        placeholder={words.none}
        value={value}
        name={known?.name ?? null}
        options={credentials.found
          .filter((one) => isUsableIn(projectId, one))
          .map(({ credentialId, name, hosts }) => ({
            id: credentialId,
            label: name,
            detail: words.hosts(hosts),
          }))}
        onType={credentials.onType}
        isSearching={credentials.isSearching}
        onChange={onChange}
        error={
          error ??
          (credentials.failure ? credentials.failure.message : null) ??
          (isGone ? pickerWords.gone : null)
        }
      />
      {chosen && host && !isHostCovered(chosen.hosts, host) && (
        <Callout tone="warn">{words.otherHost(host)}</Callout>
      )}
      <span>
        <TextLink href={paths.tools({ tab: 'credentials' })}>{words.make}</TextLink>
      </span>
    </div>
  )
}
