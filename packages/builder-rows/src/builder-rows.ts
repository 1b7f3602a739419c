import type { SqlClient } from '@troupe/sql'
import { apiKeyRows } from './api-keys.ts'
import { auditRows } from './audit.ts'
import { llmConfigurationRows } from './llm-configurations.ts'
import { organizationRows } from './organizations.ts'
import { projectRows } from './projects.ts'
import { uploadRows } from './uploads.ts'
import { workflowVersionRows } from './workflow-versions.ts'
import { workflowRows } from './workflows.ts'

/** What the builder's pages list, with names beside ids. Every read names the organization or the person. */
export function builderRows(client: SqlClient) {
  return {
    organizations: organizationRows(client),
    projects: projectRows(client),
    apiKeys: apiKeyRows(client),
    llmConfigurations: llmConfigurationRows(client),
    audit: auditRows(client),
    workflows: workflowRows(client),
    workflowVersions: workflowVersionRows(client),
    uploads: uploadRows(client),
  }
}

/** Reads for the builder. */
export type BuilderRows = ReturnType<typeof builderRows>
