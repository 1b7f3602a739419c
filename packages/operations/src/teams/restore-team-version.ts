import type { Scope } from '@troupe/agents/ports'
import { isUuid, type Team } from '@troupe/contract'
import type { Actor } from '@troupe/database'
import { type ChangeTeamParts, changeTeam } from './change-team.ts'
import { mergeOrThrow } from './merge-or-throw.ts'
import { teamVersionNotFound } from './team-errors.ts'

/**
 * Makes a team what it was in one of its versions: name, description and configuration. That is a change like any
 * other: it records a new version, and is refused when the old one names agents or LLM configurations that the team
 * cannot have any more.
 *
 * @throws DomainError `team_not_found` (also for the version), `forbidden`, `validation_error` or
 *   `llm_configuration_not_found`
 */
export async function restoreTeamVersion(
  parts: ChangeTeamParts,
  scope: Scope,
  actor: Actor,
  { teamId, versionId }: { teamId: string; versionId: string },
): Promise<Team> {
  return changeTeam(parts, scope, actor, { teamId, action: 'team.restored' }, async (team, read) => {
    const version = isUuid(versionId) ? await read.teams.versionById(scope.organizationId, versionId) : null
    if (!version || version.teamId !== team.id) throw teamVersionNotFound()
    // Onto the defaults, which may have more fields than an old version.
    const config = mergeOrThrow({ ...version.config })
    return { name: version.name, description: version.description, config }
  })
}
