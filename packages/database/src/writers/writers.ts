import type { Writers } from '../database.ts'
import { agentWriter } from './agent-writer.ts'
import { apiKeyWriter } from './api-key-writer.ts'
import { auditWriter } from './audit-writer.ts'
import { budgetWriter } from './budget-writer.ts'
import { llmConfigurationWriter } from './llm-configuration-writer.ts'
import { organizationWriter } from './organization-writer.ts'
import { projectWriter } from './project-writer.ts'
import { teamWriter } from './team-writer.ts'
import { workflowWriter } from './workflow-writer.ts'
import type { WriteContext } from './write-context.ts'

/** Every writer over one open transaction. */
export function writersOver(context: WriteContext): Writers {
  return {
    organizations: organizationWriter(context),
    projects: projectWriter(context),
    apiKeys: apiKeyWriter(context),
    llmConfigurations: llmConfigurationWriter(context),
    agents: agentWriter(context),
    teams: teamWriter(context),
    workflows: workflowWriter(context),
    budgets: budgetWriter(context),
    audit: auditWriter(context),
  }
}
