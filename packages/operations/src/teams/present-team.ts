import type { Team, TeamVersion } from '@troupe/contract'
import type { TeamRecord, TeamVersionRecord } from '@troupe/database'

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

/** A version as callers see it; times in ISO 8601 UTC. */
export function presentTeamVersion(record: TeamVersionRecord): TeamVersion {
  return {
    versionId: record.id,
    teamId: record.teamId,
    number: record.n,
    name: record.name,
    description: record.description,
    config: record.config,
    configSchemaVersion: record.configSchemaVersion,
    createdBy: { kind: record.createdBy.kind, id: record.createdBy.id },
    createdAt: record.createdAt.toISOString(),
  }
}
