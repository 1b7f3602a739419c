import type { Scope } from '@troupe/agents/ports'
import {
  agentsOfTeam,
  DomainError,
  type FieldError,
  type ProjectId,
  type TeamAgent,
  type TeamConfig,
} from '@troupe/contract'
import type { AgentRecord, Readers } from '@troupe/database'
import { llmReferencesOf, requireReferences } from '../agents/llm-references.ts'

/** A team as far as what it names is concerned. */
export interface NamingTeam {
  projectId: ProjectId | null
  config: TeamConfig
}

/**
 * Checks what a team names: its agents exist, are not archived and are of the organization level or of the team's own
 * project (any, for a team of the organization level); so are the LLM configurations of a managed lead. To be called
 * under the lock of the organization, so that no agent is archived between this look and the write.
 *
 * @throws DomainError `validation_error` or `llm_configuration_not_found`, with every place
 */
export async function requireTeamReferences(
  read: Pick<Readers, 'agents' | 'llmConfigurations'>,
  scope: Scope,
  team: NamingTeam,
): Promise<void> {
  const named = agentsOfTeam(team.config)
  const ids = named.map(({ agentId }) => agentId)
  const agents = await read.agents.byIds(scope.organizationId, ids)
  const errors = agentErrors(named, agents, team.projectId)
  if (errors.length > 0) {
    throw new DomainError('validation_error', 'The team names agents that it cannot have.', { errors })
  }
  const { lead } = team.config
  if (!('managed' in lead)) return
  await requireReferences((visibleTo) => read.llmConfigurations.visible(visibleTo), scope, {
    projectId: team.projectId,
    references: llmReferencesOf(lead.managed.model, 'config.lead.managed.model'),
  })
}

function agentErrors(
  named: readonly TeamAgent[],
  agents: readonly AgentRecord[],
  projectId: ProjectId | null,
): FieldError[] {
  return named.flatMap(({ agentId, path }): FieldError[] => {
    const agent = agents.find(({ id }) => id === agentId)
    const message = agent ? unusableBy(projectId, agent) : 'is no agent of this organization'
    return message === null ? [] : [{ path, message }]
  })
}

/** Why a team of this project cannot have an agent; null when it can. */
export function unusableBy(
  projectId: ProjectId | null,
  agent: Pick<AgentRecord, 'status' | 'projectId'>,
): string | null {
  if (agent.status === 'archived') return 'is an archived agent'
  const mayUse = projectId === null || agent.projectId === null || agent.projectId === projectId
  return mayUse ? null : 'is an agent of another project than the team'
}
