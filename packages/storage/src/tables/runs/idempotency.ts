import { sql } from 'drizzle-orm'
import { check, foreignKey, index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { freeText, moment, organizationId } from '../columns/column-types.ts'
import { apiKeys } from '../tenants/api-keys.ts'
import { voiceSessions } from '../voice/voice-sessions.ts'
import { runs } from './runs.ts'
import { workflowRuns } from './workflow-runs.ts'

/** Claims of `Idempotency-Key`s, valid for 24 hours after `created_at`. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    apiKeyId: uuid('api_key_id')
      .notNull()
      .references(() => apiKeys.id, { onDelete: 'cascade' }),
    path: text('path').notNull(),
    key: freeText('key').notNull(),
    organizationId: organizationId(),
    bodyHash: text('body_hash').notNull(),
    /** The run of an agent or a team. */
    runId: uuid('run_id'),
    /** The run of a workflow. */
    workflowRunId: uuid('workflow_run_id').references(() => workflowRuns.id, { onDelete: 'cascade' }),
    /** The outbound call. */
    voiceSessionId: uuid('voice_session_id').references(() => voiceSessions.id, { onDelete: 'cascade' }),
    createdAt: moment('created_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.apiKeyId, t.path, t.key] }),
    // A claim cannot exist without its run: starting a run relies on this constraint by name.
    foreignKey({ name: 'idempotency_keys_run_fk', columns: [t.runId], foreignColumns: [runs.id] }).onDelete(
      'cascade',
    ),
    check('idempotency_keys_one_run', sql`num_nonnulls(run_id, workflow_run_id, voice_session_id) = 1`),
    index('idempotency_keys_run').on(t.runId),
    index('idempotency_keys_workflow_run').on(t.workflowRunId).where(sql`workflow_run_id is not null`),
    index('idempotency_keys_voice_session').on(t.voiceSessionId).where(sql`voice_session_id is not null`),
    index('idempotency_keys_age').on(t.createdAt),
  ],
)
