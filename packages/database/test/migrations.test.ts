import { readFile } from 'node:fs/promises'
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api'
import { expect, it } from 'vitest'
import { knownMigrations } from '../src/migrate/known-migrations.ts'
import * as agents from '../src/schema/agents.ts'
import * as apiKeys from '../src/schema/api-keys.ts'
import * as auditLog from '../src/schema/audit-log.ts'
import * as budgets from '../src/schema/budgets.ts'
import * as idempotencyKeys from '../src/schema/idempotency-keys.ts'
import * as llmConfigurations from '../src/schema/llm-configurations.ts'
import * as organizations from '../src/schema/organizations.ts'
import * as runEvents from '../src/schema/run-events.ts'
import * as runMessages from '../src/schema/run-messages.ts'
import * as runSteps from '../src/schema/run-steps.ts'
import * as runs from '../src/schema/runs.ts'
import * as sessions from '../src/schema/sessions.ts'
import * as teams from '../src/schema/teams.ts'
import * as usageRecords from '../src/schema/usage-records.ts'
import * as workflowRuns from '../src/schema/workflow-runs.ts'
import * as workflows from '../src/schema/workflows.ts'

const SCHEMA = {
  ...agents,
  ...apiKeys,
  ...auditLog,
  ...budgets,
  ...idempotencyKeys,
  ...llmConfigurations,
  ...organizations,
  ...runEvents,
  ...runMessages,
  ...runSteps,
  ...runs,
  ...sessions,
  ...teams,
  ...usageRecords,
  ...workflowRuns,
  ...workflows,
}

it('the migrations say what the schema says: none is missing', async () => {
  const last = (await knownMigrations()).length - 1
  const snapshot = new URL(
    `../migrations/meta/${String(last).padStart(4, '0')}_snapshot.json`,
    import.meta.url,
  )
  const migrated = JSON.parse(await readFile(snapshot, 'utf8')) as Parameters<typeof generateMigration>[0]
  const current = generateDrizzleJson(SCHEMA, migrated.id)
  expect(
    await generateMigration(migrated, current),
    'run `npm run -w @troupe/database migrations:generate`',
  ).toEqual([])
})
