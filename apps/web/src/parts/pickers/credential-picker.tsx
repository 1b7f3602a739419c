import type { ReactNode } from 'react'
import { Select } from '../../atoms/controls/select.tsx'
import { TextLink } from '../../atoms/controls/text-link.tsx'
import { AskedPanel } from '../../atoms/states/asked-panel.tsx'
import { Callout } from '../../atoms/states/panels.tsx'
import { pickerWords } from '../../core/messages/en/resources/pickers.ts'
import { isHostCovered } from '../../core/tools/is-host-covered.ts'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'
import { usePlace } from '../../infrastructure/session/session.ts'
import styles from './pickers.module.css'
import { isUsableIn } from './usable-in.ts'

const words = pickerWords.credentials
const NONE = 'none'

export interface CredentialPickerProps {
  label: string
  description?: ReactNode
  error?: string | null
  /** null: none. */
  value: string | null
  onChange(credentialId: string | null): void
  /** The project of the agent; null: it belongs to the organization. */
  projectId: string | null
  /** Where it would be sent; a credential for other hosts is warned about. */
  url?: string
  isDisabled?: boolean
}

/** The credential that a tool sends. */
export function CredentialPicker(props: CredentialPickerProps) {
  const { value, onChange, projectId, url, ...field } = props
  const { paths } = usePlace()
  const asked = useOperation('listCredentials', { query: { limit: 100, sort: 'name' } })
  const host = url && URL.canParse(url) ? new URL(url).hostname : null
  return (
    <AskedPanel asked={asked} failed={words.failed} lines={1}>
      {({ data }) => {
        const usable = data.filter((one) => isUsableIn(projectId, one))
        const chosen = usable.find(({ credentialId }) => credentialId === value)
        const gone = value !== null && !chosen ? [{ id: value, label: value, detail: pickerWords.gone }] : []
        return (
          <div className={styles.stack}>
            <Select
              {...field}
              value={value ?? NONE}
              onChange={(id) => onChange(id === NONE ? null : id)}
              options={[
                { id: NONE, label: words.none },
                ...usable.map(({ credentialId, name, hosts }) => ({
                  id: credentialId,
                  label: name,
                  detail: words.hosts(hosts),
                })),
                ...gone,
              ]}
            />
            {chosen && host && !isHostCovered(chosen.hosts, host) && (
              <Callout tone="warn">{words.otherHost(host)}</Callout>
            )}
            <span>
              <TextLink href={paths.tools({ tab: 'credentials' })}>{words.make}</TextLink>
            </span>
          </div>
        )
      }}
    </AskedPanel>
  )
}
