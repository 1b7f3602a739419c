import { agentReader } from './agents/reader.ts'
import { apiKeyReader } from './api-keys/reader.ts'
import { budgetReader } from './budgets/reader.ts'
import { credentialReader } from './credentials/reader.ts'
import type { Readers } from './database.ts'
import { formReader } from './forms/reader.ts'
import { knowledgeReader } from './knowledge/reader.ts'
import { listenerReader } from './listeners/reader.ts'
import { llmConfigurationReader } from './llm-configurations/reader.ts'
import { mcpServerReader } from './mcp-servers/reader.ts'
import { invitationReader, memberReader } from './members/reader.ts'
import { userMemoryReader } from './memories/reader.ts'
import { organizationReader } from './organizations/reader.ts'
import { phoneReader } from './phone/reader.ts'
import { pinReader } from './pins/reader.ts'
import { projectReader } from './projects/reader.ts'
import { runnableReader } from './runnables/reader.ts'
import { scheduleReader } from './schedules/reader.ts'
import { sealedSecretReader } from './secrets/reader.ts'
import { sessionReader } from './sessions/reader.ts'
import { skillReader } from './skills/reader.ts'
import type { Drizzle } from './tables/drizzle/drizzle.ts'
import { teamReader } from './teams/reader.ts'
import { testCaseReader } from './test-cases/reader.ts'
import { unsavedChangesReader } from './unsaved-changes/reader.ts'
import { userReader } from './users/reader.ts'
import { voiceConfigurationReader } from './voice-configurations/reader.ts'
import { webhookReader } from './webhooks/reader.ts'
import { workflowReader } from './workflows/reader.ts'

/** Every reader over one client. */
export function readersOver(db: Drizzle): Omit<Readers, 'builder'> {
  return {
    apiKeys: apiKeyReader(db),
    organizations: organizationReader(db),
    projects: projectReader(db),
    llmConfigurations: llmConfigurationReader(db),
    credentials: credentialReader(db),
    mcpServers: mcpServerReader(db),
    agents: agentReader(db),
    teams: teamReader(db),
    workflows: workflowReader(db),
    testCases: testCaseReader(db),
    pins: pinReader(db),
    listeners: listenerReader(db),
    unsavedChanges: unsavedChangesReader(db),
    schedules: scheduleReader(db),
    webhooks: webhookReader(db),
    sealedSecrets: sealedSecretReader(db),
    forms: formReader(db),
    runnables: runnableReader(db),
    knowledge: knowledgeReader(db),
    skills: skillReader(db),
    budgets: budgetReader(db),
    sessions: sessionReader(db),
    memories: userMemoryReader(db),
    users: userReader(db),
    members: memberReader(db),
    invitations: invitationReader(db),
    voiceConfigurations: voiceConfigurationReader(db),
    phone: phoneReader(db),
  }
}
