import { SearchPicker } from '../../../parts/pickers/search-picker.tsx'
import { AGENTS, TEAMS } from '../../../parts/pickers/searched-lists.ts'
import { useChoices } from '../../../parts/pickers/use-choices.ts'

export interface ResourceFieldProps {
  label: string
  description: string | null
  error: string | null
  resource: 'agent' | 'team'
  /** Its id; '' for none. */
  value: string
  onChange(value: string): void
}

/** An agent or a team, found by its name. */
export function ResourceField({ resource, ...field }: ResourceFieldProps) {
  return resource === 'agent' ? <AgentField {...field} /> : <TeamField {...field} />
}

type FieldProps = Omit<ResourceFieldProps, 'resource'>

function AgentField({ value, onChange, ...words }: FieldProps) {
  const agents = useChoices(AGENTS, [value])
  return (
    <SearchPicker
      {...words}
      value={value === '' ? null : value}
      name={agents.thing(value)?.name ?? null}
      options={agents.found.map(({ agentId, name }) => ({ id: agentId, label: name }))}
      onType={agents.onType}
      isSearching={agents.isSearching}
      onChange={(id) => onChange(id ?? '')}
    />
  )
}

function TeamField({ value, onChange, ...words }: FieldProps) {
  const teams = useChoices(TEAMS, [value])
  return (
    <SearchPicker
      {...words}
      value={value === '' ? null : value}
      name={teams.thing(value)?.name ?? null}
      options={teams.found.map(({ teamId, name }) => ({ id: teamId, label: name }))}
      onType={teams.onType}
      isSearching={teams.isSearching}
      onChange={(id) => onChange(id ?? '')}
    />
  )
}
