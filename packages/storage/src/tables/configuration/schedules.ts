import type { WorkflowId, WorkflowRunId } from '@troupe/contract'
import { sql } from 'drizzle-orm'
import { index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { document, moment, organizationId } from '../columns/column-types.ts'
import { workflows } from './workflows.ts'

/** The Recurrence nodes of published workflows. Publishing writes them, unpublishing removes them. */
export const schedules = pgTable(
  'schedules',
  {
    workflowId: uuid('workflow_id')
      .$type<WorkflowId>()
      .notNull()
      .references(() => workflows.id, { onDelete: 'cascade' }),
    nodeId: text('node_id').notNull(),
    organizationId: organizationId(),
    /** The config of the node. */
    config: document('config').$type<Record<string, unknown>>().notNull(),
    overlap: text('overlap', { enum: ['allow', 'skip', 'queue_one', 'cancel_previous'] }).notNull(),
    catchUp: text('catch_up', { enum: ['latest', 'none', 'all'] }).notNull(),
    /** null: no further fire. */
    nextFireAt: moment('next_fire_at'),
    /** With `queue_one`: the fire that waits for the end of the previous run. */
    waitingSince: moment('waiting_since'),
    /** Planned times before the last publish never fire. */
    publishedAt: moment('published_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.workflowId, t.nodeId] }),
    index('schedules_due').on(t.nextFireAt).where(sql`next_fire_at is not null`),
    index('schedules_waiting').on(t.waitingSince).where(sql`waiting_since is not null`),
  ],
)

/** The outcome of each planned time, written once by the first scheduler to reach it. */
export const scheduleFires = pgTable(
  'schedule_fires',
  {
    /**
     * No foreign key: its check would wait for a publish, which may itself wait for the firing schedule
     * (deadlock).
     */
    workflowId: uuid('workflow_id').$type<WorkflowId>().notNull(),
    nodeId: text('node_id').notNull(),
    scheduledFor: moment('scheduled_for').notNull(),
    organizationId: organizationId(),
    outcome: text('outcome', { enum: ['fired', 'late', 'missed', 'skipped'] }).notNull(),
    /** The started run; null if none. */
    executionId: uuid('execution_id').$type<WorkflowRunId>(),
    /** The reason for a missed or late start. */
    reason: text('reason'),
    decidedAt: moment('decided_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.workflowId, t.nodeId, t.scheduledFor] }),
    index('schedule_fires_age').on(t.decidedAt),
  ],
)
