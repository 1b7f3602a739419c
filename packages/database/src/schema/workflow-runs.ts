import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, document, freeText, moment, organizationId, projectId } from './column-types.ts'

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
    status: text('status').notNull(),
    /** Why it stands where it stands, for the poll. */
    statusReason: freeText('status_reason'),
    /** What the caller sent: `input`, the body, the form's values. */
    input: document('input').notNull(),
    variables: document('variables').notNull(),
    output: document('output'),
    error: freeText('error'),
    apiKeyId: uuid('api_key_id'),
    /** The process of a synchronous caller, which is told when the run ends. */
    waiter: text('waiter'),
    slice: integer('slice').notNull().default(0),
    /** A review was answered while a worker had the run: it looks again before it lets go. */
    wake: boolean('wake').notNull().default(false),
    losses: integer('losses').notNull().default(0),
    workerId: text('worker_id'),
    leaseUntil: moment('lease_until'),
    dispatchDueAt: moment('dispatch_due_at'),
    dispatchedAt: moment('dispatched_at'),
    createdAt: moment('created_at').notNull(),
    startedAt: moment('started_at'),
    completedAt: moment('completed_at'),
  },
  (t) => [
    // The slots: counted for every start.
    index('workflow_runs_in_flight')
      .on(t.organizationId)
      .where(sql`status in ('queued', 'running', 'paused', 'awaiting_approval')`),
    index('workflow_runs_due').on(t.dispatchDueAt).where(sql`dispatch_due_at is not null`),
    index('workflow_runs_leased').on(t.workerId).where(sql`lease_until is not null`),
    index('workflow_runs_workflow').on(t.workflowId, t.createdAt, t.id),
    index('workflow_runs_organization').on(t.organizationId, t.createdAt, t.id),
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

/** What an organization or a project may use per calendar month (UTC). */
export const budgets = pgTable(
  'budgets',
  {
    id: uuid('id').primaryKey(),
    organizationId: organizationId(),
    projectId: projectId(),
    metric: text('metric', { enum: ['workflow_runs', 'llm_tokens', 'llm_cost_usd', 'voice_minutes'] }).notNull(),
    /** In millionths of the metric's unit, so that dollars are exact. */
    limitMicros: bigint('limit_micros', { mode: 'number' }).notNull(),
    period: text('period', { enum: ['month'] }).notNull(),
    createdAt: createdAt(),
  },
  (t) => [index('budgets_organization').on(t.organizationId)],
)
