import type { Scope } from '@troupe/agents/ports'
import { type AgentId, isUuid } from '@troupe/contract'
import type { AgentRecord } from '@troupe/storage'
import { agentForbidden, agentNotFound } from '../errors/agent-errors.ts'

/** Reads an agent in any project of an organization. */
export type ReadAgent = (organizationId: Scope['organizationId'], id: AgentId) => Promise<AgentRecord | null>

/**
 * The agent with the id in the path, if the scope may access it.
 *
 * @throws DomainError `agent_not_found`, or `forbidden` for an agent outside the project of a project scope
 */
export async function findAgent(read: ReadAgent, scope: Scope, agentId: string): Promise<AgentRecord> {
  const agent = isUuid(agentId) ? await read(scope.organizationId, agentId) : null
  if (!agent) throw agentNotFound()
  if (scope.projectId !== null && agent.projectId !== scope.projectId) throw agentForbidden()
  return agent
}
