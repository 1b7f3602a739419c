import type { PgTable } from 'drizzle-orm/pg-core'
import type * as agentsTables from './configuration/agents.ts'
import type * as budgetsTables from './configuration/budgets.ts'
import type * as configReferencesTables from './configuration/config-references.ts'
import type * as credentialsTables from './configuration/credentials.ts'
import type * as formsTables from './configuration/forms.ts'
import type * as knowledgeTables from './configuration/knowledge.ts'
import type * as listenersTables from './configuration/listeners.ts'
import type * as llmConfigurationsTables from './configuration/llm-configurations.ts'
import type * as mcpServersTables from './configuration/mcp-servers.ts'
import type * as pinsTables from './configuration/pins.ts'
import type * as schedulesTables from './configuration/schedules.ts'
import type * as skillsTables from './configuration/skills.ts'
import type * as teamsTables from './configuration/teams.ts'
import type * as testCasesTables from './configuration/test-cases.ts'
import type * as webhooksTables from './configuration/webhooks.ts'
import type * as workflowsTables from './configuration/workflows.ts'
import type * as approvalsTables from './runs/approvals.ts'
import type * as idempotencyTables from './runs/idempotency.ts'
import type * as reviewsTables from './runs/reviews.ts'
import type * as runsTables from './runs/runs.ts'
import type * as sessionsTables from './runs/sessions.ts'
import type * as usageTables from './runs/usage.ts'
import type * as userMemoriesTables from './runs/user-memories.ts'
import type * as workflowRunsTables from './runs/workflow-runs.ts'
import type * as apiKeysTables from './tenants/api-keys.ts'
import type * as auditTables from './tenants/audit.ts'
import type * as membersTables from './tenants/members.ts'
import type * as organizationsTables from './tenants/organizations.ts'
import type * as projectsTables from './tenants/projects.ts'
import type * as usersTables from './tenants/users.ts'
import type * as unsavedChangesTables from './unsaved-changes/unsaved-changes.ts'
import type * as doNotCallTables from './voice/do-not-call.ts'
import type * as livekitEventsTables from './voice/livekit-events.ts'
import type * as phoneNumbersTables from './voice/phone-numbers.ts'
import type * as phoneTrunksTables from './voice/phone-trunks.ts'
import type * as voiceConfigurationsTables from './voice/voice-configurations.ts'
import type * as voiceSessionsTables from './voice/voice-sessions.ts'
import type * as voiceTurnsTables from './voice/voice-turns.ts'
import type * as voiceWorkersTables from './voice/voice-workers.ts'

type NamesOf<Tables> = {
  [Name in keyof Tables]: Tables[Name] extends PgTable ? Tables[Name]['_']['name'] : never
}[keyof Tables]

/**
 * The name of a table in the schema. Code that builds SQL with a table name takes this type, so that a wrong name does
 * not compile.
 */
export type TableName = NamesOf<
  typeof agentsTables &
    typeof budgetsTables &
    typeof configReferencesTables &
    typeof credentialsTables &
    typeof formsTables &
    typeof knowledgeTables &
    typeof listenersTables &
    typeof llmConfigurationsTables &
    typeof mcpServersTables &
    typeof pinsTables &
    typeof schedulesTables &
    typeof skillsTables &
    typeof teamsTables &
    typeof testCasesTables &
    typeof unsavedChangesTables &
    typeof webhooksTables &
    typeof workflowsTables &
    typeof approvalsTables &
    typeof idempotencyTables &
    typeof reviewsTables &
    typeof runsTables &
    typeof sessionsTables &
    typeof usageTables &
    typeof userMemoriesTables &
    typeof workflowRunsTables &
    typeof apiKeysTables &
    typeof auditTables &
    typeof membersTables &
    typeof organizationsTables &
    typeof projectsTables &
    typeof usersTables &
    typeof doNotCallTables &
    typeof livekitEventsTables &
    typeof phoneNumbersTables &
    typeof phoneTrunksTables &
    typeof voiceConfigurationsTables &
    typeof voiceSessionsTables &
    typeof voiceTurnsTables &
    typeof voiceWorkersTables
>

/** The tables of each kind of runnable: its current state and its versions. */
export const RUNNABLE_TABLES = {
  agent: { current: 'agents', versions: 'agent_versions' },
  team: { current: 'teams', versions: 'team_versions' },
  workflow: { current: 'workflows', versions: 'workflow_versions' },
} as const satisfies Readonly<Record<string, Readonly<Record<string, TableName>>>>
