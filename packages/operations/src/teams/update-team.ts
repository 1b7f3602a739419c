import type { Scope } from '@troupe/agents/ports'
import { DomainError, type IdText, type Team, type TeamId, type UpdateTeamBody } from '@troupe/contract'
import type { Actor, TeamRecord } from '@troupe/storage'
import type { ChangeOptions } from '../catalog/change-options.ts'
import { requireShownName } from '../names/require-shown-name.ts'
import { type ChangeTeamParts, changeTeam } from './change-team.ts'
import { mergeOrThrow } from './merge-or-throw.ts'

/**
 * Changes the fields in the body and records a version. The configuration is merged onto the stored one.
 *
 * @throws DomainError `validation_error`, `team_not_found`, `forbidden` or `llm_configuration_not_found`
 */
export async function updateTeam(
  parts: ChangeTeamParts,
  scope: Scope,
  actor: Actor,
  teamId: IdText<TeamId>,
  body: UpdateTeamBody,
  { replace = false, check, action = 'team.updated' }: ChangeOptions<TeamRecord> = {},
): Promise<Team> {
  const { name, description, config } = body
  if (name === undefined && description === undefined && config === undefined) {
    throw new DomainError('validation_error', 'At least one of name, description, config must be provided.', {
      errors: [{ path: 'body', message: 'must have at least one of name, description, config' }],
    })
  }
  return changeTeam(parts, scope, actor, { teamId, action, ...(check && { check }) }, (before) => {
    requireShownName(name, before)
    return {
      ...(name === undefined ? {} : { name }),
      ...(description === undefined ? {} : { description }),
      ...(config === undefined ? {} : { config: mergeOrThrow(config, replace ? undefined : before.config) }),
    }
  })
}
