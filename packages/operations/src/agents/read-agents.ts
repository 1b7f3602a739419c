import type { Clock } from '@troupe/agents/ports'
import { isUuid, type QueryOf, type ResultOf } from '@troupe/contract'
import type { AgentDetails, BUILDER_OPERATIONS } from '@troupe/contract/builder'
import type { Database } from '@troupe/storage'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { agentNotFound } from '../errors/agent-errors.ts'
import { overviewFilter } from '../versions/list-filter.ts'
import { presentAgentDetails, presentAgentSummary } from './present-agent-overview.ts'

type ListAgents = (typeof BUILDER_OPERATIONS)['listAgents']

/** Dependencies of reading agents. */
export interface AgentReads {
  database: Pick<Database, 'overviews'>
  clock: Clock
}

/** One page of agents, in one statement. */
export async function listAgentSummaries(
  { database, clock }: AgentReads,
  { organizationId }: BuilderCaller,
  query: QueryOf<ListAgents>,
): Promise<ResultOf<ListAgents>> {
  const filter = overviewFilter(query)
  const { rows, total } = await database.overviews.agents(organizationId, filter, new Date(clock.now()))
  return { data: rows.map(presentAgentSummary), total, page: filter.page, limit: filter.limit }
}

/** The agent with the id; null if the organization has none. */
export async function findAgentDetails(
  { database, clock }: AgentReads,
  { organizationId }: BuilderCaller,
  agentId: string,
): Promise<AgentDetails | null> {
  if (!isUuid(agentId)) return null
  const found = await database.overviews.agent(organizationId, agentId, new Date(clock.now()))
  return found && presentAgentDetails(found)
}

/** @throws DomainError `agent_not_found` */
export async function getAgentDetails(
  parts: AgentReads,
  caller: BuilderCaller,
  agentId: string,
): Promise<AgentDetails> {
  const found = await findAgentDetails(parts, caller, agentId)
  if (!found) throw agentNotFound()
  return found
}
