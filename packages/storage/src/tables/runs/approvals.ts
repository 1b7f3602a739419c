import { sql } from 'drizzle-orm'
import { boolean, index, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { createdAt, document, freeText, moment, organizationId, projectId } from '../columns/column-types.ts'
import { noticeColumns } from '../columns/notice-columns.ts'
import { runs } from './runs.ts'

/** Calls of tools that wait, or waited, for the decision of a person. */
export const approvals = pgTable(
  'approvals',
  {
    id: uuid('id').primaryKey(),
    organizationId: organizationId(),
    projectId: projectId(),
    /** The root run: members' rows are written when they end. */
    runId: uuid('run_id')
      .notNull()
      .references(() => runs.id, { onDelete: 'cascade' }),
    stepKey: text('step_key').notNull(),
    agentId: uuid('agent_id').notNull(),
    toolCallId: text('tool_call_id').notNull(),
    toolName: text('tool_name').notNull(),
    /** What people see; the call itself takes its arguments from the run. */
    args: document('args').notNull(),
    /** SHA-256 of the tool's name and the arguments. */
    argsHash: text('args_hash').notNull(),
    /** Whether `args` are erased when the run has ended (`privacy.store_messages`). */
    forgets: boolean('forgets').notNull(),
    status: text('status', { enum: ['pending', 'approved', 'denied', 'expired'] }).notNull(),
    /** `{type, id, name}`; null unless somebody decided. */
    resolvedBy: document('resolved_by'),
    /** The e-mail addresses of whom it asks, in lower case; unlike `notify` it keeps those that have been told. */
    asks: text('asks').array().notNull().default(sql`'{}'`),
    reason: freeText('reason'),
    ...noticeColumns(),
    createdAt: createdAt(),
    expiresAt: moment('expires_at').notNull(),
    resolvedAt: moment('resolved_at'),
  },
  (t) => [
    unique('approvals_step').on(t.runId, t.stepKey),
    index('approvals_inbox').on(t.organizationId, t.status, t.createdAt, t.id),
    index('approvals_notify').on(t.notifyDueAt).where(sql`notify_due_at is not null`),
    // What the end of a run still has to change.
    index('approvals_unsettled').on(t.runId).where(sql`status = 'pending' or forgets`),
  ],
)
