import type { Scope } from '@troupe/agents/ports'
import { AgentId, checkedId, DomainError, type IdText, invalidField, TeamId } from '@troupe/contract'
import type { Readers, SessionRecord } from '@troupe/storage'

/**
 * The session of an agent or a team with this public id, if the scope may access it.
 *
 * @throws DomainError `session_not_found`, `forbidden` for one outside the project of a project scope, or
 * `validation_error` if several agents or teams have it and none is named
 */
export async function findSession(
  { sessions }: Pick<Readers, 'sessions'>,
  { organizationId, projectId }: Scope,
  sessionId: string,
  {
    agent_id: agentId = null,
    team_id: teamId = null,
  }: { agent_id?: IdText<AgentId> | null; team_id?: IdText<TeamId> | null },
): Promise<SessionRecord> {
  const found = await sessions.named(organizationId, sessionId, {
    agentId: agentId === null ? null : checkedId(AgentId, agentId),
    teamId: teamId === null ? null : checkedId(TeamId, teamId),
  })
  const visible = found.filter((session) => projectId === null || session.projectId === projectId)
  const [session] = visible
  if (found.length === 0) throw sessionNotFound()
  if (!session)
    throw new DomainError('forbidden', 'The session does not belong to the project of this API key.')
  if (visible.some(({ entityId }) => entityId !== session.entityId)) {
    const message = 'must be given, or `team_id`: several agents or teams have a session with this id'
    throw invalidField('agent_id', message)
  }
  return session
}

/** Also for sessions of other organizations: all look the same. */
export function sessionNotFound(): DomainError {
  return new DomainError('session_not_found', 'Session not found in this organization.')
}
