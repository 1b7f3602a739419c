import type { AgentCatalog, RunnableKind, Scope } from '@troupe/agents/ports'
import { AgentId, DomainError, parseId, TeamId } from '@troupe/contract'
import type { ChatRunnable, Readers } from '@troupe/storage'

/** Dependencies of {@link findChatRunnable}. */
export interface ChatRunnables {
  read: Pick<Readers, 'runnables'>
  catalog: Pick<AgentCatalog, 'agent' | 'team'>
}

/** Every agent and team that the scope may run, newest first. */
export function listChatRunnables(
  { read }: Pick<ChatRunnables, 'read'>,
  scope: Scope,
): Promise<ChatRunnable[]> {
  return read.runnables.chats(scope, null)
}

/** The kind and the id of the subject of a run; whether the scope may run it is checked with the run. */
interface FoundRunnable {
  kind: RunnableKind
  entityId: AgentId | TeamId
}

function notFound(message: string): DomainError {
  return new DomainError('model_not_found', message, { errors: [{ path: 'model', message }] })
}

/**
 * The agent or the team with an id or a name. Ids cost no read with a warm cache; a name, one query.
 *
 * @throws DomainError `model_not_found`, including for an ambiguous name
 */
export async function findChatRunnable(
  { read, catalog }: ChatRunnables,
  scope: Scope,
  model: string,
): Promise<FoundRunnable> {
  const [agentId, teamId] = [parseId(AgentId, model), parseId(TeamId, model)]
  if (agentId !== null && (await catalog.agent(scope.organizationId, agentId))) {
    return { kind: 'agent', entityId: agentId }
  }
  if (teamId !== null && (await catalog.team(scope.organizationId, teamId))) {
    return { kind: 'team', entityId: teamId }
  }
  const [found, another] = await read.runnables.chats(scope, model)
  if (!found) throw notFound('There is no agent and no team of this id or name that the API key may run.')
  if (another) throw notFound('Several agents or teams have this name: use the id of one.')
  return { kind: found.kind, entityId: found.id }
}
