import type { ListenerId, UploadId, WorkflowId, WorkflowRunId } from '@troupe/contract'
import { sql } from 'drizzle-orm'
import { bigint, index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { freeText, moment, organizationId } from '../columns/column-types.ts'
import { workflows } from './workflows.ts'

/** Files uploaded by visitors of forms. A submission references them by id and uses each once. */
export const formUploads = pgTable(
  'form_uploads',
  {
    id: uuid('id').$type<UploadId>().primaryKey(),
    organizationId: organizationId(),
    workflowId: uuid('workflow_id')
      .$type<WorkflowId>()
      .notNull()
      .references(() => workflows.id, { onDelete: 'cascade' }),
    /** The listener whose form it was sent to, with which it expires; null: of the published form. */
    listenerId: uuid('listener_id').$type<ListenerId>(),
    /** The name of the form's field. */
    field: freeText('field').notNull(),
    /** Random storage key of the bytes; the file name is never part of it. */
    storageKey: text('storage_key').notNull(),
    filename: freeText('filename').notNull(),
    contentType: text('content_type').notNull(),
    sizeBytes: bigint('size_bytes', { mode: 'number' }).notNull(),
    /** The content extracted from the file on arrival. */
    text: freeText('text').notNull(),
    /** A keyed hash of the visitor's network. */
    visitor: text('visitor').notNull(),
    createdAt: moment('created_at').notNull(),
    usedAt: moment('used_at'),
    /** The run that its submission started. */
    executionId: uuid('execution_id').$type<WorkflowRunId>(),
  },
  (t) => [
    index('form_uploads_unused').on(t.createdAt).where(sql`used_at is null`),
    index('form_uploads_used').on(t.usedAt).where(sql`used_at is not null`),
    // Summed under a lock for every upload.
    index('form_uploads_waiting')
      .on(t.organizationId, t.workflowId, t.visitor, t.sizeBytes)
      .where(sql`used_at is null`),
    index('form_uploads_workflow').on(t.workflowId),
    index('form_uploads_of_listeners').on(t.createdAt).where(sql`listener_id is not null`),
    index('form_uploads_newest').on(t.organizationId, t.createdAt, t.id),
  ],
)
