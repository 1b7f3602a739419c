import type { WorkflowRunId } from '@troupe/contract'
import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { document, freeText, moment, organizationId, projectId } from '../columns/column-types.ts'

/**
 * Runs of workflows. A row in flight occupies a slot of its organization. No foreign keys to organization and
 * workflow: checking them would lock those rows for every start.
 */
export const workflowRuns = pgTable(
  'workflow_runs',
  {
    id: uuid('id').primaryKey(),
    organizationId: organizationId(),
    projectId: projectId(),
    workflowId: uuid('workflow_id').notNull(),
    /** null for tests, whose version need not be deployed. */
    deploymentId: uuid('deployment_id'),
    versionId: uuid('version_id').notNull(),
    /** Tests are shown only in the builder; readers of production data leave them out. */
    kind: text('kind', { enum: ['run', 'test'] })
      .notNull()
      .default('run'),
    /** Set for a test: the steps to run, the permitted effects, and the names of the secrets in its seeds. */
    scope: document('scope'),
    source: text('source').notNull(),
    /** The Recurrence that fired. */
    firedNodeId: text('fired_node_id'),
    /** The time that the schedule planned; null for every other source. */
    scheduledFor: moment('scheduled_for'),
    status: text('status').notNull(),
    /** The reason for waiting when only open reviews are left; null while there is work to do. Kept during a pause. */
    waitsFor: freeText('waits_for'),
    /** The reason for the pause. */
    pauseReason: text('pause_reason'),
    /** The caller's payload: `input`, the body, the form's values. */
    input: document('input').notNull(),
    variables: document('variables').notNull(),
    output: document('output'),
    error: freeText('error'),
    apiKeyId: uuid('api_key_id'),
    /** The user who started it: in the builder, or by a form that requires sign-in. */
    startedByUserId: uuid('started_by_user_id'),
    /** The run of an agent or a team whose tool started it. */
    startedByRunId: uuid('started_by_run_id'),
    /** The process of the synchronous caller, which is notified when the run ends. */
    waiter: text('waiter'),
    slice: integer('slice').notNull().default(0),
    /**
     * A review was answered while a worker owned the run: the worker reloads the run before it releases it.
     */
    wake: boolean('wake').notNull().default(false),
    /** Workers lost since a node last made progress. */
    losses: integer('losses').notNull().default(0),
    workerId: text('worker_id'),
    /** Set while a process still owes this row its end or, after a cancel from another process, its trace. */
    leaseUntil: moment('lease_until'),
    /** When a delivery of this slice must be dispatched to the engine; null when a worker owns the run. */
    dispatchDueAt: moment('dispatch_due_at'),
    /** When the engine first accepted a delivery. */
    dispatchedAt: moment('dispatched_at'),
    /** True once retention has erased the inputs and outputs of the nodes. */
    traceErased: boolean('trace_erased').notNull().default(false),
    createdAt: moment('created_at').notNull(),
    startedAt: moment('started_at'),
    completedAt: moment('completed_at'),
  },
  (t) => [
    // The slots, counted for every start. Neither this index nor the next one has a column that a lease
    // renewal changes, so renewals stay heap-only.
    index('workflow_runs_in_flight')
      .on(t.organizationId)
      .where(sql`status in ('queued', 'running', 'paused', 'awaiting_approval')`),
    // Scanned by the sweeper. Runs that wait for reviews, possibly for weeks, are excluded because it ignores
    // them.
    index('workflow_runs_watched').on(t.createdAt).where(sql`status in ('queued', 'running', 'paused')`),
    // Lists of one status read only that status; lists of every status merge ten of these pages.
    index('workflow_runs_workflow').on(t.workflowId, t.status, t.createdAt, t.id),
    index('workflow_runs_organization').on(t.organizationId, t.createdAt, t.id),
    // Lists of ended runs. Runs in flight are few and use the index of slots; a run enters this index once.
    index('workflow_runs_ended_as')
      .on(t.organizationId, t.status, t.createdAt, t.id)
      .where(sql`completed_at is not null`),
    // Retention of tests.
    index('workflow_runs_tests').on(t.createdAt).where(sql`kind = 'test'`),
    // Recent failures by the end of the run: a run may wait for weeks before it fails.
    index('workflow_runs_failed')
      .on(t.organizationId, t.completedAt)
      .where(
        sql`status in ('failed', 'timeout', 'loop_limit_reached', 'policy_blocked', 'concurrency_limit_reached')`,
      ),
    // Retention.
    index('workflow_runs_ended')
      .on(t.organizationId, t.traceErased, t.completedAt)
      .where(sql`completed_at is not null`),
    // Runs that resume automatically when their budget has room again.
    index('workflow_runs_out_of_budget')
      .on(t.organizationId, t.projectId)
      .where(sql`status = 'paused' and pause_reason like 'budget %'`),
  ],
)

/** The outcome of a node in one frame. Skipped nodes have no row: they are derived from the others. */
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
    /** Failed attempts of this start that may be retried. */
    retry: integer('retry').notNull().default(0),
    /**
     * For a `running` node that waits for its next attempt: the earliest time; no worker holds the run for
     * it.
     */
    retryAt: moment('retry_at'),
    /** The handles taken by a completed node. */
    handles: text('handles').array(),
    input: document('input'),
    output: document('output'),
    error: freeText('error'),
    /** The agent or team run that executes this node. */
    agentRunId: uuid('agent_run_id'),
    /** A remark for people on a node that completed. */
    note: freeText('note'),
    inputTokens: integer('input_tokens').notNull().default(0),
    outputTokens: integer('output_tokens').notNull().default(0),
    /** Completion order within the run, which a resumed run replays. */
    seq: integer('seq').notNull(),
    /** Set in a test: the result comes from a seed; the node was not executed. */
    seeded: boolean('seeded').notNull().default(false),
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

/** Results that steps of a test use instead of running. Written with the test, and never changed. */
export const workflowRunSeeds = pgTable(
  'workflow_run_seeds',
  {
    runId: uuid('run_id')
      .notNull()
      .references(() => workflowRuns.id, { onDelete: 'cascade' }),
    /** The order in the request. */
    n: integer('n').notNull(),
    organizationId: organizationId(),
    nodeId: text('node_id').notNull(),
    /** The frame: empty for the root; null for every frame. */
    path: text('path'),
    output: document('output'),
    /** The handles taken by the step; null for its default. */
    handles: text('handles').array(),
    /** Values of variables after the step. */
    variables: document('variables'),
    /** Set for a Loop: the outputs of the iterations before the first one that runs. */
    iterations: document('iterations'),
    origin: text('origin', { enum: ['pin', 'run', 'mock', 'typed'] }).notNull(),
    /** The run that it was copied from. */
    fromRunId: uuid('from_run_id').$type<WorkflowRunId>(),
  },
  (t) => [primaryKey({ columns: [t.runId, t.n] })],
)
