import type { Scope } from '@troupe/agents/ports'
import { DomainError, type IdText, type TeamId } from '@troupe/contract'
import type { Actor } from '@troupe/storage'
import { usedByWorkflows } from '../agents/describe-use.ts'
import { auditedRunnable } from '../runnables/audited-runnable.ts'
import { findRunnable } from '../runnables/find-runnable.ts'
import type { ChangeTeamParts } from './change-team.ts'

/**
 * Deletes a team with its versions. Its runs and sessions are kept; a job that resumes later finds no version
 * of the team and fails.
 *
 * @throws DomainError `team_not_found`, `forbidden`, or `team_in_use` for a team that a published workflow
 * references
 */
export async function deleteTeam(
  { database, configChanges }: ChangeTeamParts,
  scope: Scope,
  actor: Actor,
  teamId: IdText<TeamId>,
): Promise<void> {
  const { organizationId } = scope
  await database.transaction(async ({ read, write }) => {
    await write.organizations.lock(organizationId)
    const before = await findRunnable('team', write.teams.lock, scope, teamId)
    const [use] = usedByWorkflows(
      await read.workflows.publishedWith(organizationId, { kind: 'team', id: before.id }),
    )
    if (use !== undefined) throw new DomainError('team_in_use', `The team ${use}.`)
    await write.teams.delete(organizationId, before.id)
    await write.audit.append({
      organizationId,
      projectId: before.projectId,
      actor,
      action: 'team.deleted',
      entityKind: 'team',
      entityId: before.id,
      before: auditedRunnable(before),
      after: null,
    })
  })
  configChanges.committed(organizationId)
}
