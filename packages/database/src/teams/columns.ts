import type { TeamVersionRecord } from './port.ts'
import { teams, teamVersions } from './table.ts'

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

type VersionRow = Pick<
  typeof teamVersions.$inferSelect,
  Exclude<keyof typeof teamVersionColumns, 'projectId'>
> &
  Pick<typeof teams.$inferSelect, 'projectId'>

/** A row as callers see it. */
export function toTeamVersionRecord({ createdByKind, createdById, ...row }: VersionRow): TeamVersionRecord {
  return { ...row, createdBy: { kind: createdByKind, id: createdById } }
}
