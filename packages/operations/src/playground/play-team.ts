import type { RunRequest } from '@troupe/agents'
import type { Clock } from '@troupe/agents/ports'
import { type AnyId, asId, TEAM_CONFIG_SCHEMA_VERSION } from '@troupe/contract'
import type { PlayTeamBody } from '@troupe/contract/builder'
import type { Database } from '@troupe/storage'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { runRequest } from '../runs/run-call.ts'
import { findTeam } from '../teams/find-team.ts'
import { findVersion } from '../versions/read-versions.ts'
import { keepDraft } from './keep-draft.ts'
import { requireOneSource } from './require-one-source.ts'
import { usableTeamDraft } from './team-draft.ts'

/** Dependencies of the playground of teams. */
export interface PlayTeamParts {
  database: Pick<Database, 'read' | 'versions' | 'drafts'>
  newId: () => AnyId
  clock: Clock
}

/**
 * The run of a team in the playground: its current version, the named one, or a draft, which is stored first.
 *
 * @throws DomainError `team_not_found`, `version_not_found`, or as saving the draft
 */
export async function teamPlayRequest(
  parts: PlayTeamParts,
  caller: BuilderCaller,
  teamId: string,
  { versionId, draft, ...body }: PlayTeamBody,
): Promise<RunRequest> {
  requireOneSource({ versionId, draft })
  const { read } = parts.database
  const team = await findTeam((organizationId, id) => read.teams.byId(organizationId, id), caller, teamId)
  const owner = { kind: 'team', organizationId: caller.organizationId, id: team.id } as const
  const version = async () => {
    if (versionId !== undefined) return (await findVersion(parts, owner, versionId)).id
    if (draft === undefined) return team.versionId
    const content = await usableTeamDraft(read, caller, team, draft)
    return keepDraft(parts, caller, owner, { content, configSchemaVersion: TEAM_CONFIG_SCHEMA_VERSION })
  }
  const call = {
    principal: { organizationId: caller.organizationId, projectId: null, keyId: null },
    kind: 'team',
    entityId: team.id,
    acceptedAt: parts.clock.now(),
    path: '',
    idempotencyKey: null,
  } as const
  return {
    ...runRequest(call, body, 'playground'),
    startedByUserId: caller.userId,
    versionId: asId(await version()),
  }
}
