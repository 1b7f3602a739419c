import type { ListenerCallId, ListenerId, UserId, WorkflowId } from '@troupe/contract'
import { index, integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { createdAt, document, freeText, moment, organizationId } from '../columns/column-types.ts'
import { ofSameOrganization } from '../columns/of-same-organization.ts'
import { workflows } from './workflows.ts'

/** The calls that a test address accepts: signed calls, or submissions of the draft's form. */
export type ListenerKind = 'webhook' | 'form'

/**
 * Test addresses of workflows, published or not: their calls are shown in the editor and start nothing. At most one per
 * kind and workflow, for ten minutes.
 */
export const workflowListeners = pgTable(
  'workflow_listeners',
  {
    id: uuid('id').$type<ListenerId>().primaryKey(),
    organizationId: organizationId(),
    workflowId: uuid('workflow_id').$type<WorkflowId>().notNull(),
    kind: text('kind').$type<ListenerKind>().notNull(),
    /** SHA-256, hex. */
    tokenHash: text('token_hash').notNull().unique(),
    tokenSealed: text('token_sealed').notNull(),
    /** The signing secret or the password, while the workflow has none of its own. */
    secretSealed: text('secret_sealed').notNull(),
    /** bcrypt hash of the same secret; null for webhooks. */
    passwordHash: text('password_hash'),
    /** null: the operator. */
    startedBy: uuid('started_by').$type<UserId>(),
    /** Number of calls so far, including deleted ones. */
    calls: integer('calls').notNull().default(0),
    createdAt: createdAt(),
    expiresAt: moment('expires_at').notNull(),
  },
  (t) => [
    unique('workflow_listeners_one').on(t.workflowId, t.kind),
    index('workflow_listeners_organization').on(t.organizationId, t.expiresAt),
    index('workflow_listeners_expired').on(t.expiresAt),
    ofSameOrganization('workflow_listeners_workflow_fk', t, t.workflowId, workflows).onDelete('cascade'),
  ],
)

/** The newest calls to a listener. */
export const workflowListenerCalls = pgTable(
  'workflow_listener_calls',
  {
    id: uuid('id').$type<ListenerCallId>().primaryKey(),
    listenerId: uuid('listener_id')
      .$type<ListenerId>()
      .notNull()
      .references(() => workflowListeners.id, { onDelete: 'cascade' }),
    /** Counts from 1. */
    n: integer('n').notNull(),
    receivedAt: moment('received_at').notNull(),
    verdict: text('verdict').notNull(),
    /** The HTTP status of the response. */
    status: integer('status').notNull(),
    /** Shown only in the editor. */
    reason: freeText('reason'),
    ip: text('ip'),
    /** Without credentials. */
    headers: document('headers').$type<Record<string, string>>().notNull(),
    /** The body as sent, or the answers to a form as JSON. */
    body: freeText('body').notNull(),
    bodyBytes: integer('body_bytes').notNull(),
    /** The number of received bytes that `body` contains. */
    keptBytes: integer('kept_bytes').notNull(),
  },
  (t) => [unique('workflow_listener_calls_n').on(t.listenerId, t.n)],
)
