import type { OrganizationId, ProjectId, TeamConfig, TeamId, TeamVersionId } from '@troupe/contract'
import type { Actor, TeamRecord, TeamVersionRecord } from '../records.ts'
import { teams, teamVersions } from '../schema/teams.ts'

/** The columns of a team as callers see it. */
export const teamColumns = {
  id: teams.id,
  organizationId: teams.organizationId,
  projectId: teams.projectId,
  slug: teams.slug,
  name: teams.name,
  description: teams.description,
  config: teams.config,
  configSchemaVersion: teams.configSchemaVersion,
  versionId: teams.versionId,
  createdAt: teams.createdAt,
  updatedAt: teams.updatedAt,
}

/** The columns of a version joined with its team. */
export const teamVersionColumns = {
  id: teamVersions.id,
  organizationId: teamVersions.organizationId,
  projectId: teams.projectId,
  teamId: teamVersions.teamId,
  n: teamVersions.n,
  name: teamVersions.name,
  description: teamVersions.description,
  config: teamVersions.config,
  configSchemaVersion: teamVersions.configSchemaVersion,
  createdByKind: teamVersions.createdByKind,
  createdById: teamVersions.createdById,
  createdAt: teamVersions.createdAt,
}

type TeamRow = Pick<typeof teams.$inferSelect, keyof typeof teamColumns>
type VersionRow = Pick<
  typeof teamVersions.$inferSelect,
  Exclude<keyof typeof teamVersionColumns, 'projectId'>
> &
  Pick<TeamRow, 'projectId'>

/** A row as callers see it. */
export function toTeamRecord(row: TeamRow): TeamRecord {
  return {
    ...row,
    id: row.id as TeamId,
    organizationId: row.organizationId as OrganizationId,
    projectId: row.projectId as ProjectId | null,
    versionId: row.versionId as TeamVersionId,
    config: row.config as TeamConfig,
  }
}

/** A row as callers see it. */
export function toTeamVersionRecord({ createdByKind, createdById, ...row }: VersionRow): TeamVersionRecord {
  return {
    ...row,
    id: row.id as TeamVersionId,
    organizationId: row.organizationId as OrganizationId,
    projectId: row.projectId as ProjectId | null,
    teamId: row.teamId as TeamId,
    config: row.config as TeamConfig,
    createdBy: { kind: createdByKind as Actor['kind'], id: createdById },
  }
}
