import type { AgentConfig } from '@troupe/contract'
import type { AgentDetails, AgentSummary } from '@troupe/contract/builder'
import type { AgentOverview } from '@troupe/storage'
import { presentActivity } from '../versions/present-activity.ts'

/** An agent in a list. */
export function presentAgentSummary(row: AgentOverview): AgentSummary {
  const { id, name, description, status, projectId, slug, versionId, versionNumber, models } = row
  return {
    agentId: id,
    name,
    description,
    status,
    projectId,
    slug,
    versionId,
    versionNumber,
    models,
    changedBy: row.changedBy,
    usedBy: row.usedBy,
    ...presentActivity(row),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

/** An agent as the editor shows it. */
export function presentAgentDetails(row: AgentOverview & { config: AgentConfig }): AgentDetails {
  const { config, configSchemaVersion } = row
  return { ...presentAgentSummary(row), config, configSchemaVersion }
}
