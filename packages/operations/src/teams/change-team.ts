import type { Scope } from '@troupe/agents/ports'
import {
  type IdText,
  TEAM_CONFIG_SCHEMA_VERSION,
  type Team,
  type TeamConfig,
  type TeamId,
} from '@troupe/contract'
import type { Actor, AuditEntry, Database, Readers, TeamRecord } from '@troupe/storage'
import type { ChangeOptions } from '../catalog/change-options.ts'
import type { ConfigChanges } from '../catalog/config-changes.ts'
import { auditedRunnable } from '../runnables/audited-runnable.ts'
import { findRunnable } from '../runnables/find-runnable.ts'
import { presentTeam } from '../runnables/present-runnable.ts'
import { requireTeamReferences } from './require-references.ts'

export interface ChangeTeamParts {
  database: Pick<Database, 'transaction'>
  configChanges: ConfigChanges
}

/** The fields of a team that a change sets. */
export interface TeamChange {
  name?: string
  description?: string | null
  config?: TeamConfig
}

/**
 * Changes a team and records a version. `change` receives the team under its row lock, so concurrent changes
 * are serialized and none is lost. References are checked when the configuration changes.
 *
 * @param action for the audit log: `team.updated`
 * @throws DomainError `team_not_found`, `forbidden`, `validation_error` or `llm_configuration_not_found`
 */
export async function changeTeam(
  { database, configChanges }: ChangeTeamParts,
  scope: Scope,
  actor: Actor,
  {
    teamId,
    action,
    check,
  }: { teamId: IdText<TeamId>; action: AuditEntry['action'] } & Pick<ChangeOptions<TeamRecord>, 'check'>,
  change: (before: TeamRecord, read: Readers) => TeamChange | Promise<TeamChange>,
): Promise<Team> {
  const { organizationId } = scope
  const changed = await database.transaction(async ({ read, write, versions }) => {
    // The organization is held before the agents are read: archiving one of them either waits for this transaction or
    // is visible to it.
    await write.organizations.hold(organizationId)
    const before = await findRunnable('team', write.teams.lock, scope, teamId)
    await check?.(before, { versions, write })
    const { name = before.name, description = before.description, config } = await change(before, read)
    if (config) await requireTeamReferences(read, scope, { projectId: before.projectId, config })
    const after = await write.teams.update(
      {
        ...before,
        name,
        description,
        config: config ?? before.config,
        configSchemaVersion: config ? TEAM_CONFIG_SCHEMA_VERSION : before.configSchemaVersion,
      },
      actor,
    )
    await write.audit.append({
      organizationId,
      projectId: after.projectId,
      actor,
      action,
      entityKind: 'team',
      entityId: after.id,
      before: auditedRunnable(before),
      after: auditedRunnable(after),
    })
    return after
  })
  configChanges.committed(organizationId)
  return presentTeam(changed)
}
