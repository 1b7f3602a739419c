import type { DeliveryId, WorkflowId, WorkflowRunId } from '@troupe/contract'
import { index, integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { document, freeText, moment, organizationId } from '../columns/column-types.ts'
import { workflows } from './workflows.ts'

/** Recent deliveries to the webhooks of workflows. */
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    id: uuid('id').$type<DeliveryId>().primaryKey(),
    organizationId: organizationId(),
    workflowId: uuid('workflow_id')
      .$type<WorkflowId>()
      .notNull()
      .references(() => workflows.id, { onDelete: 'cascade' }),
    receivedAt: moment('received_at').notNull(),
    /** The HTTP status of the response. */
    status: integer('status').notNull(),
    /** The reason of a refusal, shown only to the owner; null when it was accepted. */
    reason: freeText('reason'),
    executionId: uuid('execution_id').$type<WorkflowRunId>(),
    /** Set if the trigger rejects duplicates: two deliveries with the same key are duplicates. */
    dedupeKey: text('dedupe_key'),
    ip: text('ip'),
    /** Without credentials. */
    headers: document('headers').$type<Record<string, string>>().notNull(),
    /** The body as text, truncated; `bodyBytes` is the full length. */
    body: freeText('body').notNull(),
    bodyBytes: integer('body_bytes').notNull(),
  },
  (t) => [
    unique('webhook_deliveries_once').on(t.workflowId, t.dedupeKey),
    index('webhook_deliveries_newest').on(t.workflowId, t.receivedAt, t.id),
    index('webhook_deliveries_age').on(t.receivedAt),
  ],
)
