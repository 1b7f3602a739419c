import type { Scope } from '@troupe/agents/ports'
import {
  type AnyVersionId,
  DomainError,
  type IdText,
  parseId,
  type Team,
  type TeamId,
  TeamVersionId,
} from '@troupe/contract'
import type { Actor, TeamRecord } from '@troupe/storage'
import type { ChangeOptions } from '../catalog/change-options.ts'
import { type ChangeTeamParts, changeTeam } from './change-team.ts'
import { mergeOrThrow } from './merge-or-throw.ts'

/**
 * Restores a team's name, description and configuration from one of its versions. The restore records a new
 * version, and is refused when the old one references agents or LLM configurations that the team may no
 * longer use.
 *
 * @throws DomainError `team_not_found`, `version_not_found`, `forbidden`, `validation_error` or
 *   `llm_configuration_not_found`
 */
export async function restoreTeamVersion(
  parts: ChangeTeamParts,
  scope: Scope,
  actor: Actor,
  { teamId, versionId }: { teamId: IdText<TeamId>; versionId: IdText<AnyVersionId> },
  options: Pick<ChangeOptions<TeamRecord>, 'check'> = {},
): Promise<Team> {
  return changeTeam(
    parts,
    scope,
    actor,
    { teamId, action: 'team.restored', ...options },
    async (team, read) => {
      const key = parseId(TeamVersionId, versionId)
      const version = key && (await read.teams.versionById(scope.organizationId, key))
      if (!version || version.id !== team.id) {
        throw new DomainError('version_not_found', 'Version not found for this team.')
      }
      // Merged onto the defaults, which may have fields that an old version lacks.
      const config = mergeOrThrow({ ...version.config })
      return { name: version.name, description: version.description, config }
    },
  )
}
