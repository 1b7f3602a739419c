import { asId, type BodyOf } from '@troupe/contract'
import type { BUILDER_OPERATIONS, TeamDetails } from '@troupe/contract/builder'
import type { Database } from '@troupe/storage'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { type Created, createOnce } from '../changes/create-once.ts'
import { checkBase } from '../versions/check-base.ts'
import { copyName } from '../versions/copy-name.ts'
import { type CreateTeamParts, createTeam } from './create-team.ts'
import { findTeamDetails, getTeamDetails, type TeamReads } from './read-teams.ts'
import { restoreTeamVersion } from './restore-team-version.ts'
import { updateTeam } from './update-team.ts'

type Operations = typeof BUILDER_OPERATIONS

/** Dependencies of changing teams. */
export type TeamChanges = TeamReads &
  CreateTeamParts & { database: Pick<Database, 'overviews' | 'transaction'> }

/**
 * Creates a team; a repeated id returns the existing team.
 *
 * @throws DomainError as `createTeam`, and `id_taken`
 */
export async function createTeamOnce(
  parts: TeamChanges,
  caller: BuilderCaller,
  { id, ...body }: BodyOf<Operations['createTeam']>,
): Promise<Created<TeamDetails>> {
  const newId = id === undefined ? parts.newId : () => asId(id.toLowerCase())
  return createOnce(
    async () => (id === undefined ? null : findTeamDetails(parts, caller, id)),
    async () => {
      const { teamId } = await createTeam({ ...parts, newId }, caller, caller.actor, body)
      return getTeamDetails(parts, caller, teamId)
    },
  )
}

/**
 * Changes a team if `baseVersionId` is its current version.
 *
 * @throws DomainError as `updateTeam`, and `version_conflict`
 */
export async function editTeam(
  parts: TeamChanges,
  caller: BuilderCaller,
  teamId: string,
  { baseVersionId, replace = false, ...body }: BodyOf<Operations['updateTeam']>,
): Promise<TeamDetails> {
  const check = checkBase(caller, 'team', baseVersionId)
  await updateTeam(parts, caller, caller.actor, teamId, body, { replace, check })
  return getTeamDetails(parts, caller, teamId)
}

/**
 * Copies a team, into its own project unless the body names another.
 *
 * @throws DomainError as `createTeam`, and `team_not_found`
 */
export async function duplicateTeam(
  parts: TeamChanges,
  caller: BuilderCaller,
  teamId: string,
  body: BodyOf<Operations['duplicateTeam']>,
): Promise<TeamDetails> {
  const original = await getTeamDetails(parts, caller, teamId)
  const { name = copyName(original.name), projectId = original.projectId } = body
  const { description, config } = original
  const copy = await createTeam(parts, caller, caller.actor, {
    name,
    description,
    projectId,
    config: { ...config },
  })
  return getTeamDetails(parts, caller, copy.teamId)
}

/**
 * Restores a version's name, description and configuration as a new version.
 *
 * @throws DomainError as `restoreTeamVersion`, and `version_conflict`
 */
export async function restoreTeam(
  parts: TeamChanges,
  caller: BuilderCaller,
  { teamId, versionId }: { teamId: string; versionId: string },
  { baseVersionId }: BodyOf<Operations['restoreTeamVersion']>,
): Promise<TeamDetails> {
  const check = checkBase(caller, 'team', baseVersionId)
  await restoreTeamVersion(parts, caller, caller.actor, { teamId, versionId }, { check })
  return getTeamDetails(parts, caller, teamId)
}
