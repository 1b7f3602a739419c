import type { AgentDetails, ChangeAuthor, TeamDetails } from '@troupe/builder-contract'
import type { ConfigKind } from '../../core/forms/check-content.ts'
import type { ConfigContent } from '../../core/forms/config-content.ts'
import { type OperationCalls, useCalls } from '../../infrastructure/queries/use-calls.ts'

/** An agent or a team as the server has it, as far as its editor needs it. */
export interface SavedContent extends ConfigContent {
  versionId: string
  versionNumber: number
  changedBy: ChangeAuthor
  updatedAt: string
  usedBy: AgentDetails['usedBy']
}

/** Reads and changes one agent or team. Both throw `CallFailure`. */
export interface ConfigResource {
  read(): Promise<SavedContent>
  /** Replaces name, description and the whole configuration, so that removed keys are gone. */
  update(content: ConfigContent, baseVersionId: string): Promise<SavedContent>
}

const REFRESHED = {
  agent: ['getAgent', 'listAgents', 'listAgentVersions'],
  team: ['getTeam', 'listTeams', 'listTeamVersions'],
} as const

export function useConfigResource(kind: ConfigKind, id: string): ConfigResource {
  const calls = useCalls()
  return {
    read: () => read(calls, kind, id),
    update: async (content, baseVersionId) => {
      const body = { ...content, baseVersionId, replace: true }
      const answer = await update(calls, kind, id, body)
      await calls.refresh(REFRESHED[kind])
      return answer
    },
  }
}

/** An answer of the server as what an editor edits. */
export function savedContent(answer: AgentDetails | TeamDetails): SavedContent {
  const { name, description, config, versionId, versionNumber, changedBy, updatedAt, usedBy } = answer
  return {
    name,
    description,
    config: { ...config },
    versionId,
    versionNumber,
    changedBy,
    updatedAt,
    usedBy,
  }
}

async function read({ ask }: OperationCalls, kind: ConfigKind, id: string): Promise<SavedContent> {
  return savedContent(
    kind === 'agent'
      ? await ask('getAgent', { params: { agentId: id } })
      : await ask('getTeam', { params: { teamId: id } }),
  )
}

type UpdateBody = ConfigContent & { baseVersionId: string; replace: boolean }

async function update(
  { send }: OperationCalls,
  kind: ConfigKind,
  id: string,
  body: UpdateBody,
): Promise<SavedContent> {
  return savedContent(
    kind === 'agent'
      ? await send('updateAgent', { params: { agentId: id }, body })
      : await send('updateTeam', { params: { teamId: id }, body }),
  )
}
