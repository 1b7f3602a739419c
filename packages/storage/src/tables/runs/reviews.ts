import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core'
import { document, freeText, moment, organizationId, projectId } from '../columns/column-types.ts'
import { noticeColumns } from '../columns/notice-columns.ts'
import { workflowRuns } from './workflow-runs.ts'

/** Requests of Human Review nodes to reviewers: one row per activation. */
export const reviews = pgTable(
  'reviews',
  {
    id: uuid('id').primaryKey(),
    organizationId: organizationId(),
    projectId: projectId(),
    workflowId: uuid('workflow_id').notNull(),
    runId: uuid('run_id')
      .notNull()
      .references(() => workflowRuns.id, { onDelete: 'cascade' }),
    nodeId: text('node_id').notNull(),
    path: text('path').notNull(),
    status: text('status', { enum: ['open', 'approved', 'rejected', 'timeout', 'withdrawn'] }).notNull(),
    title: freeText('title').notNull(),
    /** Markdown. */
    instructions: freeText('instructions').notNull(),
    /** `{label, value}[]`: the only run data that reviewers see. */
    shown: document('shown').notNull(),
    /** The fields that reviewers may edit, with the proposed values. */
    fields: document('fields').notNull(),
    /** `{kind, roles, userIds}`. */
    reviewers: document('reviewers').notNull(),
    approvalsRequired: integer('approvals_required').notNull(),
    requireRejectComment: boolean('require_reject_comment').notNull(),
    allowSelfApproval: boolean('allow_self_approval').notNull(),
    allowApiKeys: boolean('allow_api_keys').notNull(),
    ...noticeColumns(),
    /** Whether it belongs to a test; then it is assigned only to the person who runs the test. */
    isTest: boolean('is_test').notNull().default(false),
    createdAt: moment('created_at').notNull(),
    expiresAt: moment('expires_at'),
    decidedAt: moment('decided_at'),
    /** `{by: {type, id, name}, comment, data}`; null while open, and after a timeout or a withdrawal. */
    decision: document('decision'),
  },
  (t) => [
    unique('reviews_activation').on(t.runId, t.path, t.nodeId),
    index('reviews_inbox').on(t.organizationId, t.status, t.createdAt, t.id),
    index('reviews_deadline').on(t.expiresAt).where(sql`status = 'open' and expires_at is not null`),
    index('reviews_notify').on(t.notifyDueAt).where(sql`notify_due_at is not null`),
  ],
)

/** Approvals of a review that needs several: one vote per actor. */
export const reviewVotes = pgTable(
  'review_votes',
  {
    reviewId: uuid('review_id')
      .notNull()
      .references(() => reviews.id, { onDelete: 'cascade' }),
    /** `user:<id>` or `apiKey:<id>`. */
    actor: text('actor').notNull(),
    organizationId: organizationId(),
    actorName: freeText('actor_name').notNull(),
    decision: text('decision', { enum: ['approve', 'reject'] }).notNull(),
    comment: freeText('comment'),
    /** The fields as decided by the vote. */
    data: document('data').notNull(),
    /** The fields as proposed to this vote. */
    found: document('found').notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.reviewId, t.actor] })],
)
