import type { Scope } from '@troupe/agents/ports'
import { TEAM_CONFIG_SCHEMA_VERSION, type Team, type TeamConfig } from '@troupe/contract'
import type { Actor, Database, Readers, TeamRecord } from '@troupe/database'
import type { ConfigChanges } from '../catalog/config-changes.ts'
import { auditedTeam } from './audited-team.ts'
import { findTeam } from './find-team.ts'
import { presentTeam } from './present-team.ts'
import { requireTeamReferences } from './require-references.ts'

/** What changing a team uses. */
export interface ChangeTeamParts {
  database: Pick<Database, 'transaction'>
  configChanges: ConfigChanges
}

/** The fields of a team that a change gives new values. */
export interface TeamChange {
  name?: string
  description?: string | null
  config?: TeamConfig
}

/**
 * Changes a team and records a version. `change` sees the team under its lock, so that two changes follow one after
 * the other and neither is lost. What the team names is checked when its configuration changes.
 *
 * @param action for the audit log: `team.updated`
 * @throws DomainError `team_not_found`, `forbidden`, `validation_error` or `llm_configuration_not_found`
 */
export async function changeTeam(
  { database, configChanges }: ChangeTeamParts,
  scope: Scope,
  actor: Actor,
  { teamId, action }: { teamId: string; action: string },
  change: (before: TeamRecord, read: Readers) => TeamChange | Promise<TeamChange>,
): Promise<Team> {
  const { organizationId } = scope
  const changed = await database.transaction(async ({ read, write }) => {
    // Taken before the agents are looked at: archiving one waits for this transaction, or this one sees it archived.
    await write.organizations.lock(organizationId)
    const before = await findTeam((_, id) => write.teams.lock(organizationId, id), scope, teamId)
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
      before: auditedTeam(before),
      after: auditedTeam(after),
    })
    return after
  })
  configChanges.committed(organizationId)
  return presentTeam(changed)
}
