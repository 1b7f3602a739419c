import { agentWriter } from './agents/writer.ts'
import { apiKeyWriter } from './api-keys/writer.ts'
import { auditWriter } from './audit/writer.ts'
import { budgetWriter } from './budgets/writer.ts'
import { credentialWriter } from './credentials/writer.ts'
import type { Writers } from './database.ts'
import { formWriter } from './forms/writer.ts'
import { knowledgeWriter } from './knowledge/writer.ts'
import { listenerWriter } from './listeners/writer.ts'
import { llmConfigurationWriter } from './llm-configurations/writer.ts'
import { mcpServerWriter } from './mcp-servers/writer.ts'
import { invitationWriter, memberWriter } from './members/writer.ts'
import { userMemoryWriter } from './memories/writer.ts'
import { organizationWriter } from './organizations/writer.ts'
import { phoneWriter } from './phone/writer.ts'
import { pinWriter } from './pins/writer.ts'
import { projectWriter } from './projects/writer.ts'
import { scheduleWriter } from './schedules/writer.ts'
import { sealedSecretWriter } from './secrets/writer.ts'
import { sessionWriter } from './sessions/writer.ts'
import { skillWriter } from './skills/writer.ts'
import type { WriteContext } from './tables/drizzle/write-context.ts'
import { teamWriter } from './teams/writer.ts'
import { testCaseWriter } from './test-cases/writer.ts'
import { unsavedChangesWriter } from './unsaved-changes/writer.ts'
import { userWriter } from './users/writer.ts'
import { voiceConfigurationWriter } from './voice-configurations/writer.ts'
import { webhookWriter } from './webhooks/writer.ts'
import { workflowWriter } from './workflows/writer.ts'

/** Every writer over one open transaction. */
export function writersOver(context: WriteContext): Writers {
  return {
    organizations: organizationWriter(context),
    projects: projectWriter(context),
    apiKeys: apiKeyWriter(context),
    llmConfigurations: llmConfigurationWriter(context),
    credentials: credentialWriter(context),
    mcpServers: mcpServerWriter(context),
    agents: agentWriter(context),
    teams: teamWriter(context),
    workflows: workflowWriter(context),
    testCases: testCaseWriter(context),
    pins: pinWriter(context),
    unsavedChanges: unsavedChangesWriter(context),
    listeners: listenerWriter(context),
    schedules: scheduleWriter(context),
    webhooks: webhookWriter(context),
    sealedSecrets: sealedSecretWriter(context),
    forms: formWriter(context),
    voiceConfigurations: voiceConfigurationWriter(context),
    phone: phoneWriter(context),
    knowledge: knowledgeWriter(context),
    skills: skillWriter(context),
    budgets: budgetWriter(context),
    sessions: sessionWriter(context),
    memories: userMemoryWriter(context),
    users: userWriter(context),
    members: memberWriter(context),
    invitations: invitationWriter(context),
    audit: auditWriter(context),
  }
}
