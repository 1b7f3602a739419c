import { sql } from 'drizzle-orm'
import { boolean, foreignKey, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { freeText, moment, organizationId, projectId } from './column-types.ts'
import { sessions } from './sessions.ts'

/**
 * Runs. Columns that only later sources need (parents, step keys, pins, slices, reservations) are not here yet: each is
 * one nullable column, which PostgreSQL adds without rewriting the table.
 */
export const runs = pgTable(
  'runs',
  {
    id: uuid('id').primaryKey(),
    organizationId: organizationId(),
    projectId: projectId(),
    kind: text('kind').notNull(),
    entityId: uuid('entity_id').notNull(),
    entityVersionId: uuid('entity_version_id').notNull(),
    sessionId: uuid('session_id').notNull(),
    sessionSeq: integer('session_seq').notNull(),
    source: text('source').notNull(),
    status: text('status').notNull(),
    success: boolean('success'),
    /** null once the texts of the run were erased (`privacy.store_messages`). */
    input: freeText('input'),
    content: freeText('content'),
    errorCode: text('error_code'),
    errorMessage: freeText('error_message'),
    stopReason: text('stop_reason'),
    tag: freeText('tag'),
    userId: freeText('user_id').notNull(),
    includeMessages: boolean('include_messages').notNull(),
    inputTokens: integer('input_tokens').notNull().default(0),
    outputTokens: integer('output_tokens').notNull().default(0),
    failoverUsed: boolean('failover_used').notNull().default(false),
    /** No foreign key: keys are revoked, never deleted. */
    apiKeyId: uuid('api_key_id').notNull(),
    workerId: text('worker_id').notNull(),
    /** Set while a process owes this row something: its end, or after a cancel from elsewhere its texts. */
    leaseUntil: moment('lease_until'),
    /** True once the event log is reduced to its first and last row. */
    logTrimmed: boolean('log_trimmed').notNull().default(false),
    createdAt: moment('created_at').notNull(),
    completedAt: moment('completed_at'),
  },
  (t) => [
    foreignKey({ name: 'runs_session_fk', columns: [t.sessionId], foreignColumns: [sessions.id] }).onDelete(
      'cascade',
    ),
    uniqueIndex('runs_session_seq').on(t.sessionId, t.sessionSeq),
    // Only runs in flight: leases and the sweep for lost runs read this small index. It holds no column that a renewal
    // changes, so renewals stay heap-only.
    index('runs_in_flight').on(t.workerId).where(sql`status = 'running'`),
    index('runs_untrimmed_logs').on(t.completedAt).where(sql`source = 'api_stream' and not log_trimmed`),
  ],
)
