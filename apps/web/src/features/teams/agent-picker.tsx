import type { AgentSummary } from '@troupe/builder-contract'
import { useDeferredValue, useState } from 'react'
import { ComboBox } from '../../atoms/controls/combo-box.tsx'
import { agentWords } from '../../core/messages/en/lists.ts'
import { teamPageWords } from '../../core/messages/en/teams/page.ts'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'

const words = teamPageWords.members
const MOST_OFFERED = 50
const NOBODY: ReadonlyMap<string, string> = new Map()

export interface AgentPickerProps {
  label: string
  isLabelHidden?: boolean
  /** The project of the team; null: it may have agents of every project. */
  projectId: string | null
  /** Why an agent cannot be chosen, by its id: it is in the team already. */
  taken?: ReadonlyMap<string, string>
  placeholder?: string
  error?: string | null
  isDisabled?: boolean
  /** What is chosen; absent: the field is empty again after each choice. */
  value?: { agentId: string; name: string } | null
  onChoose(agent: AgentSummary): void
}

/** Finds an agent by typing. Archived ones, and those of another project than the team's, are not offered. */
export function AgentPicker(props: AgentPickerProps) {
  const { label, projectId, taken = NOBODY, value = null, onChoose, error = null, ...field } = props
  const [typed, setTyped] = useState<string | null>(null)
  const text = typed ?? value?.name ?? ''
  // What is chosen already is no search.
  const q = useDeferredValue(typed === null || typed === value?.name ? '' : typed)
  const agents = useOperation('listAgents', {
    query: { limit: MOST_OFFERED, sort: 'name', ...(q ? { q } : {}) },
  })
  const found = (agents.data?.data ?? []).filter(
    (agent) =>
      agent.status !== 'archived' &&
      (projectId === null || agent.projectId === null || agent.projectId === projectId),
  )
  const options = found.map(({ agentId, name, description, status }) => {
    const refusal = taken.get(agentId)
    const state = status === 'draft' ? agentWords.statuses.draft : null
    return {
      id: agentId,
      label: name,
      detail: [refusal ?? null, state, shortened(description)].filter((part) => part !== null).join(' · '),
      isDisabled: refusal !== undefined,
    }
  })
  return (
    <ComboBox
      {...field}
      label={label}
      error={error}
      options={options}
      value={value?.agentId ?? null}
      search={{ text, onChange: setTyped }}
      placeholder={props.placeholder ?? words.addPlaceholder}
      onChange={(agentId) => {
        const chosen = found.find((agent) => agent.agentId === agentId)
        if (!chosen) return
        setTyped(value === null ? '' : null)
        onChoose(chosen)
      }}
    />
  )
}

const LONGEST = 80

function shortened(description: string | null): string | null {
  if (!description) return null
  return description.length > LONGEST ? `${description.slice(0, LONGEST)}…` : description
}
