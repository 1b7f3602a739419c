import type { Scope } from '@troupe/agents/ports'
import {
  agentsOfTeam,
  DomainError,
  type FieldError,
  type ProjectId,
  type TeamAgent,
  type TeamConfig,
} from '@troupe/contract'
import type { AgentRecord, Readers } from '@troupe/storage'
import { guardrailReferences, llmReferencesOf, requireReferences } from '../agents/llm-references.ts'
import { guardrailCredentials } from '../credentials/credential-references.ts'
import { requireCredentials } from '../credentials/require-credentials.ts'

/** The fields of a team that contain references. */
export interface NamingTeam {
  projectId: ProjectId | null
  config: TeamConfig
}

/**
 * Checks a team's references: agents must exist, not be archived, and belong to the organization level or the
 * team's project (an organization-level team may use any); the same projects apply to a managed lead's LLM
 * configurations. Call it while the organization is held or locked, so that no agent is archived between this check and
 * the write.
 *
 * @throws DomainError `validation_error`, `llm_configuration_not_found` or `credential_not_found`, listing every path
 */
export async function requireTeamReferences(
  read: Pick<Readers, 'agents' | 'llmConfigurations' | 'credentials'>,
  scope: Scope,
  team: NamingTeam,
): Promise<void> {
  const named = agentsOfTeam(team.config)
  const ids = named.map(({ agentId }) => agentId)
  const agents = await read.agents.byIds(scope.organizationId, ids)
  const errors = agentErrors(named, agents, team.projectId)
  if (errors.length > 0) {
    throw new DomainError('validation_error', 'The team refers to agents that it cannot use.', { errors })
  }
  const { lead, guardrails } = team.config
  await requireReferences((visibleTo) => read.llmConfigurations.visible(visibleTo), scope, {
    projectId: team.projectId,
    references: [
      ...('managed' in lead ? llmReferencesOf(lead.managed.model, 'config.lead.managed.model') : []),
      ...guardrailReferences(guardrails, 'config.guardrails'),
    ],
  })
  await requireCredentials(read, scope, {
    projectId: team.projectId,
    references: guardrailCredentials(guardrails, 'config.guardrails'),
  })
}

function agentErrors(
  named: readonly TeamAgent[],
  agents: readonly AgentRecord[],
  projectId: ProjectId | null,
): FieldError[] {
  return named.flatMap(({ agentId, path }): FieldError[] => {
    const agent = agents.find(({ id }) => id === agentId)
    const message = agent ? unusableBy(projectId, agent) : 'is not an agent of this organization'
    return message === null ? [] : [{ path, message }]
  })
}

/** Why a team of this project may not use an agent; null if it may. */
export function unusableBy(
  projectId: ProjectId | null,
  agent: Pick<AgentRecord, 'status' | 'projectId'>,
): string | null {
  if (agent.status === 'archived') return 'is an archived agent'
  const mayUse = projectId === null || agent.projectId === null || agent.projectId === projectId
  return mayUse ? null : 'is an agent of another project than the team'
}
