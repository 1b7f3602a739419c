import { type Static, Type } from 'typebox'
import { IsoTimestamp, Uuid } from '../schema/formats.ts'
import type { ProjectId, TeamId, TeamVersionId } from '../schema/ids.ts'
import { Nullable } from '../schema/nullable.ts'
import { OpenObject } from '../schema/objects.ts'
import { pageQuery } from '../schema/page.ts'
import { ShownName, StoredName } from '../schema/shown-name.ts'
import type { TeamConfig } from './config/team-config.ts'

export const TeamName = ShownName
/** The purpose of a team. */
export const TeamDescription = Nullable(Type.String({ maxLength: 10_000 }))
/** A configuration in a request: checked after the merge, so that every path starts at `config`. */
const TeamConfigBody = OpenObject({ maxProperties: 1_000 })
const WholeTeamConfig = Type.Unsafe<TeamConfig>({ type: 'object', additionalProperties: true })

const content = {
  name: StoredName,
  description: TeamDescription,
  config: WholeTeamConfig,
  configSchemaVersion: Type.Integer(),
}

/** A team as the builder sees it; equal to its newest version. */
export const Team = Type.Object({
  teamId: Uuid<TeamId>(),
  projectId: Nullable(Uuid<ProjectId>({ description: 'null: an organization-level team.' })),
  /** The version that is the current state. */
  versionId: Uuid<TeamVersionId>(),
  ...content,
  createdAt: IsoTimestamp(),
  updatedAt: IsoTimestamp(),
})
export type Team = Static<typeof Team>

/** The body that creates a team. */
export const CreateTeamBody = Type.Object({
  name: TeamName,
  description: Type.Optional(TeamDescription),
  projectId: Type.Optional(Nullable(Uuid<ProjectId>())),
  config: TeamConfigBody,
})
export type CreateTeamBody = Static<typeof CreateTeamBody>

/** At least one field; `config` is merged field by field onto the stored one. */
export const UpdateTeamBody = Type.Object({
  // The operation refuses a blank name unless it is the stored one.
  name: Type.Optional(StoredName),
  description: Type.Optional(TeamDescription),
  config: Type.Optional(TeamConfigBody),
})
export type UpdateTeamBody = Static<typeof UpdateTeamBody>

/** The page of a list of teams. */
export const ListTeamsQuery = Type.Object({ ...pageQuery, projectId: Type.Optional(Uuid<ProjectId>()) })
export type ListTeamsQuery = Static<typeof ListTeamsQuery>
