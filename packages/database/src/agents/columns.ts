import { agents } from './table.ts'

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
