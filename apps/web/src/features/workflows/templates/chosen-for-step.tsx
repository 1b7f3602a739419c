import { galleryWords as words } from '../../../core/messages/en/workflows/importing.ts'
import type { WorkflowTemplate } from '../../../core/workflows/templates/template.ts'
import { SearchPicker } from '../../../parts/pickers/search-picker.tsx'
import { ACTIVE_AGENTS, TEAMS } from '../../../parts/pickers/searched-lists.ts'
import { useChoices } from '../../../parts/pickers/use-choices.ts'

export interface ChosenForStepProps {
  /** A template that requires an agent or a team. */
  template: WorkflowTemplate
  value: string | null
  onChange(id: string | null): void
}

/** The agent or the team for a template. */
export function ChosenForStep({ template: { asks, graph }, ...field }: ChosenForStepProps) {
  const step = graph.nodes.find(({ id }) => id === asks?.stepId)?.name ?? ''
  return asks?.kind === 'team' ? (
    <ChosenTeam label={words.teamOf(step)} {...field} />
  ) : (
    <ChosenAgent label={words.agentOf(step)} {...field} />
  )
}

type FieldProps = Omit<ChosenForStepProps, 'template'> & { label: string }

function ChosenAgent({ value, ...field }: FieldProps) {
  const agents = useChoices(ACTIVE_AGENTS, value === null ? [] : [value])
  return (
    <SearchPicker
      {...field}
      description={words.later}
      isOptional
      value={value}
      name={value === null ? null : (agents.thing(value)?.name ?? null)}
      onType={agents.onType}
      isSearching={agents.isSearching}
      options={agents.found.map(({ agentId: id, name: label }) => ({ id, label }))}
    />
  )
}

function ChosenTeam({ value, ...field }: FieldProps) {
  const teams = useChoices(TEAMS, value === null ? [] : [value])
  return (
    <SearchPicker
      {...field}
      description={words.later}
      isOptional
      value={value}
      name={value === null ? null : (teams.thing(value)?.name ?? null)}
      onType={teams.onType}
      isSearching={teams.isSearching}
      options={teams.found.map(({ teamId: id, name: label }) => ({ id, label }))}
    />
  )
}
