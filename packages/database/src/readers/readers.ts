import type { Readers } from '../database.ts'
import { formReader } from '../forms/form-reader.ts'
import { sealedSecretReader } from '../secrets/sealed-secrets.ts'
import type { Drizzle } from '../sql/drizzle.ts'
import { webhookReader } from '../webhooks/webhook-reader.ts'
import { agentReader } from './agent-reader.ts'
import { apiKeyReader } from './api-key-reader.ts'
import { budgetReader } from './budget-reader.ts'
import { llmConfigurationReader } from './llm-configuration-reader.ts'
import { invitationReader, memberReader } from './member-reader.ts'
import { organizationReader } from './organization-reader.ts'
import { projectReader } from './project-reader.ts'
import { scheduleReader } from './schedule-reader.ts'
import { teamReader } from './team-reader.ts'
import { userReader } from './user-reader.ts'
import { workflowReader } from './workflow-reader.ts'

/** Every reader over one client. */
export function readersOver(db: Drizzle): Readers {
  return {
    apiKeys: apiKeyReader(db),
    organizations: organizationReader(db),
    projects: projectReader(db),
    llmConfigurations: llmConfigurationReader(db),
    agents: agentReader(db),
    teams: teamReader(db),
    workflows: workflowReader(db),
    schedules: scheduleReader(db),
    webhooks: webhookReader(db),
    sealedSecrets: sealedSecretReader(db),
    forms: formReader(db),
    budgets: budgetReader(db),
    users: userReader(db),
    members: memberReader(db),
    invitations: invitationReader(db),
  }
}
