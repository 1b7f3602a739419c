import type { AgentId, IdText, ProjectId } from '@troupe/contract'
import type { AgentSummary } from '@troupe/contract/builder'
import { useRef, useState } from 'react'
import { focusNext } from '../../atoms/focus/focus-next.ts'
import { agentWords } from '../../core/messages/en/agents/agents.ts'
import { teamPageWords } from '../../core/messages/en/teams/page.ts'
import { SearchPicker } from '../../parts/pickers/search-picker.tsx'
import { AGENTS } from '../../parts/pickers/searched-lists.ts'
import { isUsableIn } from '../../parts/pickers/usable-in.ts'
import { useChoices } from '../../parts/pickers/use-choices.ts'

const words = teamPageWords.members
const NOBODY: ReadonlyMap<string, string> = new Map()

export interface AgentPickerProps {
  label: string
  /** The project of the team; null: it may have agents of every project. */
  projectId: IdText<ProjectId> | null
  /** The reason why an agent can't be selected, by its id: it is already in the team. */
  taken?: ReadonlyMap<string, string>
  error?: string | null
  /** The selection; absent: the field is empty again after each choice. */
  value?: { agentId: IdText<AgentId>; name: string } | null
  onChoose(agent: AgentSummary): void
}

/** Whether a team of a project may currently use an agent. */
export const isOffered = (projectId: IdText<ProjectId> | null, agent: AgentSummary): boolean =>
  agent.status !== 'archived' && isUsableIn(projectId, agent)

/** Searches for an agent. Archived ones, and those of another project than the team's, are not offered. */
export function AgentPicker(props: AgentPickerProps) {
  const { label, projectId, taken = NOBODY, value = null, onChoose, error = null } = props
  // A new field for each addition, so that it starts empty.
  const [added, setAdded] = useState(0)
  // It would open over the new selection.
  const [hasJustAdded, setJustAdded] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const agents = useChoices(AGENTS, [])
  const found = agents.found.filter((agent) => isOffered(projectId, agent))
  // The highlighted option stays, even if a later response lacks it.
  const offered = useRef(new Map<string, AgentSummary>())
  for (const agent of found) offered.current.set(agent.agentId, agent)
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
    <div ref={box}>
      <SearchPicker
        key={added}
        label={label}
        error={error}
        options={options}
        value={value?.agentId ?? null}
        name={value?.name ?? null}
        placeholder={words.addPlaceholder}
        onType={agents.onType}
        isSearching={agents.isSearching}
        opensOnFocus={!hasJustAdded}
        onLeave={() => setJustAdded(false)}
        onChange={(agentId) => {
          const chosen = agentId === null ? undefined : offered.current.get(agentId)
          if (!chosen) return
          if (value === null) {
            setAdded(added + 1)
            setJustAdded(true)
            focusNext(() => box.current?.querySelector('input'))
          }
          onChoose(chosen)
        }}
      />
    </div>
  )
}

const LONGEST = 80

function shortened(description: string | null): string | null {
  if (!description) return null
  return description.length > LONGEST ? `${description.slice(0, LONGEST)}…` : description
}
