import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { document, freeText, moment, organizationId, projectId } from '../sql/column-types.ts'

/**
 * Runs of workflows. A row in flight is a slot of its organization. No foreign keys to organization and workflow: checking
 * them would lock those rows for every start.
 */
export const workflowRuns = pgTable(
  'workflow_runs',
  {
    id: uuid('id').primaryKey(),
    organizationId: organizationId(),
    projectId: projectId(),
    workflowId: uuid('workflow_id').notNull(),
    deploymentId: uuid('deployment_id').notNull(),
    versionId: uuid('version_id').notNull(),
    source: text('source').notNull(),
    /** The Recurrence that fired. */
    firedNodeId: text('fired_node_id'),
    /** The time for which the schedule planned it; null for every other source. */
    scheduledFor: moment('scheduled_for'),
    status: text('status').notNull(),
    /** What a run with nothing but open reviews waits for; null while there is something to do. Outlives a pause. */
    waitsFor: freeText('waits_for'),
    /** Why it is paused. */
    pauseReason: text('pause_reason'),
    /** What the caller sent: `input`, the body, the form's values. */
    input: document('input').notNull(),
    variables: document('variables').notNull(),
    output: document('output'),
    error: freeText('error'),
    apiKeyId: uuid('api_key_id'),
    /** The person who started it: in the builder, or by a form that asks for sign-in. */
    startedByUserId: uuid('started_by_user_id'),
    /** The process of a synchronous caller, which is told when the run ends. */
    waiter: text('waiter'),
    slice: integer('slice').notNull().default(0),
    /** A review was answered while a worker had the run: it looks again before it lets go. */
    wake: boolean('wake').notNull().default(false),
    /** Workers lost since a node last got further. */
    losses: integer('losses').notNull().default(0),
    workerId: text('worker_id'),
    /** Set while a process owes this row something: its end, or after a cancel from elsewhere its trace. */
    leaseUntil: moment('lease_until'),
    /** When a delivery of this slice must be handed to the engine; null when a worker has it. */
    dispatchDueAt: moment('dispatch_due_at'),
    /** When the engine took a delivery for the first time. */
    dispatchedAt: moment('dispatched_at'),
    /** True once retention has taken the inputs and outputs of the nodes. */
    traceErased: boolean('trace_erased').notNull().default(false),
    createdAt: moment('created_at').notNull(),
    startedAt: moment('started_at'),
    completedAt: moment('completed_at'),
  },
  (t) => [
    // The slots: counted for every start. Neither this index nor the next one holds a column that a renewal of a lease
    // changes, so renewals stay heap-only.
    index('workflow_runs_in_flight')
      .on(t.organizationId)
      .where(sql`status in ('queued', 'running', 'paused', 'awaiting_approval')`),
    // What the watchdog looks through: reviews may stay open for weeks, and are none of its business.
    index('workflow_runs_watched').on(t.createdAt).where(sql`status in ('queued', 'running', 'paused')`),
    // Lists of a status read that status only; lists of every status put ten of these pages together.
    index('workflow_runs_workflow').on(t.workflowId, t.status, t.createdAt, t.id),
    index('workflow_runs_organization').on(t.organizationId, t.createdAt, t.id),
    // Lists of an end. Runs in flight are few, and found as slots; a run gets into this index once.
    index('workflow_runs_ended_as')
      .on(t.organizationId, t.status, t.createdAt, t.id)
      .where(sql`completed_at is not null`),
    // Retention.
    index('workflow_runs_ended')
      .on(t.organizationId, t.traceErased, t.completedAt)
      .where(sql`completed_at is not null`),
    // What goes on by itself when its budget has room again.
    index('workflow_runs_out_of_budget')
      .on(t.organizationId, t.projectId)
      .where(sql`status = 'paused' and pause_reason like 'budget %'`),
  ],
)

/** What became of a node in one frame. Skipped nodes follow from the others and have no row. */
export const workflowNodeRuns = pgTable(
  'workflow_node_runs',
  {
    runId: uuid('run_id')
      .notNull()
      .references(() => workflowRuns.id, { onDelete: 'cascade' }),
    /** Empty for the root, else `loop1[3]/inner[0]`. */
    path: text('path').notNull(),
    nodeId: text('node_id').notNull(),
    organizationId: organizationId(),
    status: text('status').notNull(),
    attempt: integer('attempt').notNull().default(1),
    /** Tries of this start that have failed and may be repeated. */
    retry: integer('retry').notNull().default(0),
    /** A node that is `running` and waits for its next try: not before this moment, in no worker's hands. */
    retryAt: moment('retry_at'),
    /** The handles that a completed node took. */
    handles: text('handles').array(),
    input: document('input'),
    output: document('output'),
    error: freeText('error'),
    /** The run of an agent or a team that the node is. */
    agentRunId: uuid('agent_run_id'),
    inputTokens: integer('input_tokens').notNull().default(0),
    outputTokens: integer('output_tokens').notNull().default(0),
    /** Order of completion within the run, which a resumed run repeats. */
    seq: integer('seq').notNull(),
    startedAt: moment('started_at'),
    completedAt: moment('completed_at'),
  },
  (t) => [primaryKey({ columns: [t.runId, t.path, t.nodeId] })],
)

/** The outputs of a Loop's finished iterations. */
export const workflowIterations = pgTable(
  'workflow_iterations',
  {
    runId: uuid('run_id')
      .notNull()
      .references(() => workflowRuns.id, { onDelete: 'cascade' }),
    path: text('path').notNull(),
    nodeId: text('node_id').notNull(),
    idx: integer('idx').notNull(),
    organizationId: organizationId(),
    output: document('output'),
  },
  (t) => [primaryKey({ columns: [t.runId, t.path, t.nodeId, t.idx] })],
)
