import { galleryWords as words } from '../../../core/messages/en/workflows/importing.ts'
import type { WorkflowTemplate } from '../../../core/workflows/templates/template.ts'
import { ListPicker } from '../../../parts/pickers/list-picker.tsx'
import { ACTIVE_AGENTS, TEAMS } from '../../../parts/pickers/searched-lists.ts'

export interface ChosenForStepProps {
  /** A template that requires an agent or a team. */
  template: WorkflowTemplate
  value: string | null
  onChange(id: string | null): void
}

/** The agent or the team for a template. */
export function ChosenForStep({ template: { asks, graph }, ...chosen }: ChosenForStepProps) {
  const step = graph.nodes.find(({ id }) => id === asks?.stepId)?.name ?? ''
  const field = { ...chosen, description: words.later, isOptional: true }
  return asks?.kind === 'team' ? (
    <ListPicker list={TEAMS} label={words.teamOf(step)} {...field} />
  ) : (
    <ListPicker list={ACTIVE_AGENTS} label={words.agentOf(step)} {...field} />
  )
}
