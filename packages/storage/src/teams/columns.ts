import { getTableColumns } from 'drizzle-orm'
import { teams, teamVersions } from '../tables/configuration/teams.ts'
import type { TeamVersionRecord } from './port.ts'

const { versionNumber: _, ...columns } = getTableColumns(teams)

/** The columns of a team as callers see it. */
export const teamColumns = columns

const { contentHash: _hash, label: _label, note: _note, ...versionColumns } = getTableColumns(teamVersions)

/** The columns of a version joined with its team. */
export const teamVersionColumns = { ...versionColumns, projectId: teams.projectId }

type VersionRow = Omit<typeof teamVersions.$inferSelect, 'contentHash' | 'label' | 'note'> &
  Pick<typeof teams.$inferSelect, 'projectId'>

/** A row as callers see it. */
export function toTeamVersionRecord({ createdByKind, createdById, ...row }: VersionRow): TeamVersionRecord {
  return { ...row, createdBy: { kind: createdByKind, id: createdById } }
}
