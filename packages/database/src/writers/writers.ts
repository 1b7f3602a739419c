import type { Writers } from '../database.ts'
import { formWriter } from '../forms/form-writer.ts'
import { sealedSecretWriter } from '../secrets/sealed-secrets.ts'
import { webhookWriter } from '../webhooks/webhook-writer.ts'
import { agentWriter } from './agent-writer.ts'
import { apiKeyWriter } from './api-key-writer.ts'
import { auditWriter } from './audit-writer.ts'
import { budgetWriter } from './budget-writer.ts'
import { llmConfigurationWriter } from './llm-configuration-writer.ts'
import { invitationWriter, memberWriter } from './member-writer.ts'
import { organizationWriter } from './organization-writer.ts'
import { projectWriter } from './project-writer.ts'
import { scheduleWriter } from './schedule-writer.ts'
import { teamWriter } from './team-writer.ts'
import { userWriter } from './user-writer.ts'
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
    schedules: scheduleWriter(context),
    webhooks: webhookWriter(context),
    sealedSecrets: sealedSecretWriter(context),
    forms: formWriter(context),
    budgets: budgetWriter(context),
    users: userWriter(context),
    members: memberWriter(context),
    invitations: invitationWriter(context),
    audit: auditWriter(context),
  }
}
