import type { Scope } from '@troupe/agents/ports'
import {
  type CreateTeamBody,
  type NewId,
  TEAM_CONFIG_SCHEMA_VERSION,
  type Team,
  TeamId,
} from '@troupe/contract'
import type { Actor, Database } from '@troupe/storage'
import { requestedProject } from '../access/requested-project.ts'
import { requireProject } from '../access/require-project.ts'
import type { ConfigChanges } from '../catalog/config-changes.ts'
import { requireOwnId } from '../catalog/id-taken.ts'
import { auditedRunnable } from '../runnables/audited-runnable.ts'
import { presentTeam } from '../runnables/present-runnable.ts'
import { mergeOrThrow } from './merge-or-throw.ts'
import { requireTeamReferences } from './require-references.ts'

/** Dependencies of the operation. */
export interface CreateTeamParts {
  database: Pick<Database, 'transaction'>
  configChanges: ConfigChanges
  newId: NewId
}

/**
 * Creates a team with its first version. A project scope always creates in its own project.
 *
 * @throws DomainError `validation_error`, `id_taken`, `project_not_found` or `llm_configuration_not_found`
 */
export async function createTeam(
  { database, configChanges, newId }: CreateTeamParts,
  scope: Scope,
  actor: Actor,
  body: CreateTeamBody,
): Promise<Team> {
  const config = mergeOrThrow(body.config)
  const { organizationId } = scope
  const projectId = requestedProject(scope, body.projectId)
  const id: TeamId = newId(TeamId)
  const team = await database.transaction(async ({ read, write }) => {
    // The organization is held before the agents are read: archiving one of them either waits for this transaction or
    // is visible to it.
    await write.organizations.hold(organizationId)
    await requireOwnId({ read, write }, 'team', { organizationId, id })
    await requireProject(read, organizationId, projectId)
    await requireTeamReferences(read, scope, { projectId, config })
    const created = await write.teams.insert(
      {
        id,
        organizationId,
        projectId,
        slug: null,
        name: body.name,
        description: body.description ?? null,
        config,
        configSchemaVersion: TEAM_CONFIG_SCHEMA_VERSION,
      },
      actor,
    )
    await write.audit.append({
      organizationId,
      projectId,
      actor,
      action: 'team.created',
      entityKind: 'team',
      entityId: created.id,
      before: null,
      after: auditedRunnable(created),
    })
    return created
  })
  configChanges.committed(organizationId)
  return presentTeam(team)
}
