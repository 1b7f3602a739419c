import type { Scope } from '@troupe/agents/ports'
import type { Agent } from '@troupe/contract'
import { findAgent, type ReadAgent } from './find-agent.ts'
import { presentAgent } from './present-agent.ts'

/** @throws DomainError `agent_not_found` or `forbidden` */
export async function getAgent(read: ReadAgent, scope: Scope, agentId: string): Promise<Agent> {
  return presentAgent(await findAgent(read, scope, agentId))
}
