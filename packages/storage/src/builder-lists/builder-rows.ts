import type { SqlClient } from '../sql/client/sql-client.ts'
import { apiKeyRows } from './api-keys.ts'
import { auditRows } from './audit.ts'
import { credentialRows } from './credentials.ts'
import { draftHistoryRows } from './draft-history.ts'
import { knowledgePassageRows } from './knowledge-passages.ts'
import { llmConfigurationRows } from './llm-configurations.ts'
import { mcpServerRows } from './mcp-servers.ts'
import { organizationRows } from './organizations.ts'
import { projectRows } from './projects.ts'
import { projectMoveRows } from './resources/project-moves.ts'
import { resourceIdRows } from './resources/resource-ids.ts'
import { resourceUserRows } from './resources/resource-users.ts'
import { skillVersionRows } from './skill-versions.ts'
import { uploadRows } from './uploads.ts'
import { voiceConfigurationRows } from './voice-configurations.ts'
import { workflowVersionRows } from './workflow-versions.ts'
import { workflowRows } from './workflows.ts'

/** Lists for the builder's pages, with names beside ids. Every read names the organization or the person. */
export function builderRows(client: SqlClient) {
  return {
    organizations: organizationRows(client),
    projects: projectRows(client),
    apiKeys: apiKeyRows(client),
    llmConfigurations: llmConfigurationRows(client),
    credentials: credentialRows(client),
    mcpServers: mcpServerRows(client),
    voiceConfigurations: voiceConfigurationRows(client),
    resourceIds: resourceIdRows(client),
    resourceUsers: resourceUserRows(client),
    projectMoves: projectMoveRows(client),
    knowledgePassages: knowledgePassageRows(client),
    skillVersions: skillVersionRows(client),
    audit: auditRows(client),
    workflows: workflowRows(client),
    draftHistory: draftHistoryRows(client),
    workflowVersions: workflowVersionRows(client),
    uploads: uploadRows(client),
  }
}

/** Reads for the builder. */
export type BuilderRows = ReturnType<typeof builderRows>
