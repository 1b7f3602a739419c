import type { TeamConfig } from '@troupe/contract'
import type { TeamDetails, TeamSummary } from '@troupe/contract/builder'
import type { TeamOverview } from '@troupe/storage'
import { presentActivity } from '../versions/present-activity.ts'

/** A team in a list. */
export function presentTeamSummary(row: TeamOverview): TeamSummary {
  const { id, name, description, projectId, slug, versionId, versionNumber, mode, agents } = row
  return {
    teamId: id,
    name,
    description,
    projectId,
    slug,
    versionId,
    versionNumber,
    mode,
    agents,
    changedBy: row.changedBy,
    usedBy: row.usedBy,
    ...presentActivity(row),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

/** A team as the editor shows it. */
export function presentTeamDetails(row: TeamOverview & { config: TeamConfig }): TeamDetails {
  const { config, configSchemaVersion } = row
  return { ...presentTeamSummary(row), config, configSchemaVersion }
}
