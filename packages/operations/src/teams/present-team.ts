import type { Team } from '@troupe/contract'
import type { TeamRecord } from '@troupe/storage'

/** A team as callers see it; times in ISO 8601 UTC. */
export function presentTeam(record: TeamRecord): Team {
  return {
    teamId: record.id,
    projectId: record.projectId,
    versionId: record.versionId,
    name: record.name,
    description: record.description,
    config: record.config,
    configSchemaVersion: record.configSchemaVersion,
    createdAt: record.createdAt.toISOString(),
    updatedAt: record.updatedAt.toISOString(),
  }
}
