import { ComboBox } from '../../../atoms/controls/combo-box.tsx'
import { useOperation } from '../../../infrastructure/queries/use-operation.ts'

export interface ResourceFieldProps {
  label: string
  description: string | null
  error: string | null
  resource: 'agent' | 'team'
  /** Its id; '' for none. */
  value: string
  onChange(value: string): void
}

/** An agent or a team, by its name. One that is not among the first hundred is shown by its id. */
export function ResourceField({ resource, value, onChange, ...words }: ResourceFieldProps) {
  const isAgent = resource === 'agent'
  const query = { limit: 100, sort: 'name' as const }
  const agents = useOperation('listAgents', { query }, { isEnabled: isAgent })
  const teams = useOperation('listTeams', { query }, { isEnabled: !isAgent })
  const found = isAgent
    ? (agents.data?.data ?? []).map(({ agentId, name }) => ({ id: agentId, label: name }))
    : (teams.data?.data ?? []).map(({ teamId, name }) => ({ id: teamId, label: name }))
  const isKnown = value === '' || found.some(({ id }) => id === value)
  const options = isKnown ? found : [...found, { id: value, label: value }]
  return (
    <ComboBox
      key={options.length}
      {...words}
      value={value === '' ? null : value}
      onChange={(id) => onChange(id ?? '')}
      options={options}
    />
  )
}
