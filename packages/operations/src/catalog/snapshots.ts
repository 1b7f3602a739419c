import type { AgentSnapshot, TeamSnapshot } from '@troupe/agents/ports'
import type { AgentRecord, TeamRecord } from '@troupe/storage'

/** An agent as runs see it, in the version of the record. */
export function agentSnapshot(record: AgentRecord): AgentSnapshot {
  return {
    agentId: record.id,
    versionId: record.versionId,
    organizationId: record.organizationId,
    projectId: record.projectId,
    name: record.name,
    description: record.description,
    status: record.status,
    config: record.config,
  }
}

/** A team as runs see it, in the version of the record. */
export function teamSnapshot(record: TeamRecord): TeamSnapshot {
  const { id: teamId, versionId, organizationId, projectId, name, config } = record
  return { teamId, versionId, organizationId, projectId, name, config }
}
