import type { Agent } from '@troupe/contract'
import type { AgentRecord } from '@troupe/storage'

/** An agent as callers see it; times in ISO 8601 UTC. */
export function presentAgent(record: AgentRecord): Agent {
  return {
    agentId: record.id,
    name: record.name,
    description: record.description,
    status: record.status,
    projectId: record.projectId,
    config: record.config,
    configSchemaVersion: record.configSchemaVersion,
    createdAt: record.createdAt.toISOString(),
    updatedAt: record.updatedAt.toISOString(),
  }
}
