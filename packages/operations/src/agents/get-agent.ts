import type { Scope } from '@troupe/agents/ports'
import type { Agent, AgentId, IdText } from '@troupe/contract'
import type { Readers } from '@troupe/storage'
import { findRunnable } from '../runnables/find-runnable.ts'
import { presentAgent } from '../runnables/present-runnable.ts'

/** @throws DomainError `agent_not_found` or `forbidden` */
export async function getAgent(
  read: Pick<Readers, 'agents'>,
  scope: Scope,
  agentId: IdText<AgentId>,
): Promise<Agent> {
  return presentAgent(await findRunnable('agent', read.agents.byId, scope, agentId))
}
