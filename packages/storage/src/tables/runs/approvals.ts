import { sql } from 'drizzle-orm'
import { boolean, index, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { createdAt, document, freeText, moment, organizationId, projectId } from '../columns/column-types.ts'
import { noticeColumns } from '../columns/notice-columns.ts'
import { runs } from './runs.ts'

/** Tool calls that wait, or waited, for a person's decision. */
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
    /** The arguments shown to people; the call itself takes its arguments from the run. */
    args: document('args').notNull(),
    /** SHA-256 of the tool's name and the arguments. */
    argsHash: text('args_hash').notNull(),
    /** Whether `args` are erased after the end of the run (`privacy.store_messages`). */
    forgets: boolean('forgets').notNull(),
    status: text('status', { enum: ['pending', 'approved', 'denied', 'expired'] }).notNull(),
    /** `{type, id, name}`; null without a decision. */
    resolvedBy: document('resolved_by'),
    /** The e-mail addresses of the assigned people, in lower case; unlike `notify`, it keeps those already notified. */
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
    // Approvals that still have to be closed after the end of their run.
    index('approvals_unsettled').on(t.runId).where(sql`status = 'pending' or forgets`),
  ],
)
