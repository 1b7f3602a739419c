import type { Scope } from '@troupe/agents/ports'
import { type AgentId, DomainError, type IdText, type TeamId } from '@troupe/contract'
import type { Actor, Database } from '@troupe/storage'
import { findSession, sessionNotFound } from './find-session.ts'

/**
 * Deletes a session with its runs and their texts. The ledger keeps their cost.
 *
 * @throws DomainError as {@link findSession}, or `in_use` while a run of it, or its voice session, is in flight
 */
export async function deleteSession(
  { database }: { database: Pick<Database, 'transaction'> },
  scope: Scope,
  actor: Actor,
  sessionId: string,
  query: { agent_id?: IdText<AgentId>; team_id?: IdText<TeamId> },
): Promise<void> {
  await database.transaction(async ({ read, write }) => {
    const { id, organizationId, projectId, kind, entityId, runs } = await findSession(
      read,
      scope,
      sessionId,
      query,
    )
    const outcome = await write.sessions.delete(organizationId, id)
    if (outcome === 'gone') throw sessionNotFound()
    if (outcome === 'in_use') {
      throw new DomainError(
        'in_use',
        'The session has a run or a voice session in progress. Cancel it, or wait until it ends.',
      )
    }
    await write.audit.append({
      organizationId,
      projectId,
      actor,
      action: 'session.deleted',
      entityKind: 'session',
      entityId: id,
      // The audit entry names neither the texts nor the user, because both are deleted.
      before: { kind, entityId, runs },
      after: null,
    })
  })
}
