import type { AnyVersionId, CoordinationMode, IdText, ProjectId } from '@troupe/contract'
import type { AgentDetails, TeamDetails } from '@troupe/contract/builder'
import { isSameJson } from '@troupe/editor/values/json-path'
import type { PlayedContent, Subject } from '../../core/playground/subject.ts'
import { type Asked, useOperation } from '../../infrastructure/queries/use-operation.ts'

/** A saved agent or team. */
export interface PlayableContent {
  name: string
  description: string | null
  config: object
  versionId: IdText<AnyVersionId>
  versionNumber: number
  /** True: callers get an error. */
  isArchived: boolean
  /** Its project; null: the organization. */
  projectId: IdText<ProjectId> | null
  /** null: an agent. */
  mode: CoordinationMode | null
  /** Names of a team's agents by their ids. */
  names: Readonly<Record<string, string>>
}

const NO_NAMES: PlayableContent['names'] = {}

/** The saved state, from the matching query. */
export function useSavedContent(kind: 'agent' | 'team', id: string): Asked<PlayableContent> {
  const agent = useOperation('getAgent', { params: { agentId: id } }, { isEnabled: kind === 'agent' })
  const team = useOperation('getTeam', { params: { teamId: id } }, { isEnabled: kind === 'team' })
  return kind === 'agent'
    ? { ...agent, data: agent.data && savedAgent(agent.data) }
    : { ...team, data: team.data && savedTeam(team.data) }
}

function savedAgent({
  name,
  description,
  config,
  versionId,
  versionNumber,
  status,
  projectId,
}: AgentDetails): PlayableContent {
  const isArchived = status === 'archived'
  return {
    name,
    description,
    config,
    versionId,
    versionNumber,
    isArchived,
    projectId,
    mode: null,
    names: NO_NAMES,
  }
}

function savedTeam(team: TeamDetails): PlayableContent {
  const { name, description, config, versionId, versionNumber, projectId, mode } = team
  const names = Object.fromEntries(team.agents.map((agent) => [agent.agentId, agent.name]))
  return { name, description, config, versionId, versionNumber, isArchived: false, projectId, mode, names }
}

/** Whether a draft differs from the saved state; its missing keys have their saved values. */
export function isChanged(draft: PlayedContent | null, saved: PlayableContent): draft is PlayedContent {
  if (draft === null) return false
  const { name = saved.name, description = saved.description, config } = draft
  const kept = { name: saved.name, description: saved.description, config: saved.config }
  return !isSameJson({ name, description, config }, kept)
}

/** A runnable subject: a previous draft, and the current version, are the live one. */
export function runnable(subject: Subject, saved: PlayableContent, hasDraft: boolean): Subject {
  const isLive =
    (subject.kind === 'draft' && !hasDraft) ||
    (subject.kind === 'version' && subject.versionId === saved.versionId) ||
    (subject.kind === 'mode' && saved.mode === null) ||
    (subject.kind === 'model' && saved.mode !== null)
  return isLive ? { kind: 'live' } : subject
}
