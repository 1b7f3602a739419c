import type { AgentConfig, AgentId, AgentVersionId, OrganizationId, ProjectId } from '@troupe/contract'
import type { AgentRecord } from '../records.ts'
import { agents } from '../schema/agents.ts'

/** The columns of an agent as callers see it. */
export const agentColumns = {
  id: agents.id,
  organizationId: agents.organizationId,
  projectId: agents.projectId,
  slug: agents.slug,
  name: agents.name,
  description: agents.description,
  status: agents.status,
  config: agents.config,
  configSchemaVersion: agents.configSchemaVersion,
  versionId: agents.versionId,
  createdAt: agents.createdAt,
  updatedAt: agents.updatedAt,
}

type AgentRow = Pick<typeof agents.$inferSelect, keyof typeof agentColumns>

/** A row as callers see it. */
export function toAgentRecord(row: AgentRow): AgentRecord {
  return {
    ...row,
    id: row.id as AgentId,
    organizationId: row.organizationId as OrganizationId,
    projectId: row.projectId as ProjectId | null,
    versionId: row.versionId as AgentVersionId,
    config: row.config as AgentConfig,
  }
}
