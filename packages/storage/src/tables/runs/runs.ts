import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  bigint,
  boolean,
  check,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { createdAt, document, freeText, moment, organizationId, projectId } from '../columns/column-types.ts'
import { sessions } from './sessions.ts'

/**
 * Runs of agents and teams. A root run has a number in its session. The runs of a team's members reference it
 * (`parent_run_id`), are written once, at their end, and cannot be looked up by their own id through the API.
 */
export const runs = pgTable(
  'runs',
  {
    id: uuid('id').primaryKey(),
    organizationId: organizationId(),
    projectId: projectId(),
    kind: text('kind').notNull(),
    entityId: uuid('entity_id').notNull(),
    entityVersionId: uuid('entity_version_id').notNull(),
    /** Versions of the other agents that a team's job uses, by agent id. */
    pins: document('pins'),
    sessionRowId: uuid('session_row_id').notNull(),
    /** null for members' runs. */
    sessionSeq: integer('session_seq'),
    parentRunId: uuid('parent_run_id').references((): AnyPgColumn => runs.id, { onDelete: 'cascade' }),
    /** The run's role within its parent: `member:m1:0`, `task:t2:1`. */
    stepKey: text('step_key'),
    /**
     * The workflow run that this node belongs to; null for every other run. No foreign key: each has its own retention.
     */
    workflowRunId: uuid('workflow_run_id'),
    source: text('source').notNull(),
    /** A run of the playground, or of a step of a workflow's test: no public operation finds it. */
    isTest: boolean('is_test').notNull().default(false),
    status: text('status').notNull(),
    success: boolean('success'),
    /** null once the texts of the run were erased (`privacy.store_messages`). */
    input: freeText('input'),
    content: freeText('content'),
    /** The agent that wrote `content`; null for a managed lead. */
    answerAgentId: uuid('answer_agent_id'),
    errorCode: text('error_code'),
    errorMessage: freeText('error_message'),
    stopReason: text('stop_reason'),
    /** The public `plan` object of a plan-execute run. */
    plan: document('plan'),
    /** Guardrail rules that the run's texts broke; null if none. */
    flags: document('flags'),
    /** The public `citations` of the answer: quotes are text, and are erased with it. */
    citations: document('citations'),
    tag: freeText('tag'),
    /** Jobs: the request's `tool_context` as an AES-256-GCM envelope; erased by every statement that ends the run. */
    toolContextSealed: text('tool_context_sealed'),
    userId: freeText('user_id').notNull(),
    /** Whether the request named the user: only then are memories kept about them. */
    namesUser: boolean('names_user').notNull().default(false),
    /** The last part of its prompts (`StoredPrompts`), written at its end; earlier parts are rows of `run_prompts`. */
    prompts: document('prompts'),
    /** When the ended run is due for extracting memories about its user; null if it is not, or has been processed. */
    memoryDueAt: moment('memory_due_at'),
    includeMessages: boolean('include_messages').notNull(),
    /** False: the texts are erased at the end, no matter which process ends the run. */
    storeMessages: boolean('store_messages').notNull().default(true),
    inputTokens: integer('input_tokens').notNull().default(0),
    outputTokens: integer('output_tokens').notNull().default(0),
    failoverUsed: boolean('failover_used').notNull().default(false),
    /** Tokens reserved in budgets of the organization and the project until the run ends. */
    reservedTokens: integer('reserved_tokens').notNull().default(0),
    reservedCostMicros: bigint('reserved_cost_micros', { mode: 'number' }).notNull().default(0),
    /**
     * No foreign key: keys are revoked, never deleted. null: started without a key, for example by a
     * schedule.
     */
    apiKeyId: uuid('api_key_id'),
    /** The user who started it in the builder. No foreign key: a user may leave. */
    startedByUserId: uuid('started_by_user_id'),
    /** The process that executes the run; null for a job between two slices. */
    workerId: text('worker_id'),
    /** Set while a process still owes this row its end or, after a cancel from another process, its texts. */
    leaseUntil: moment('lease_until'),
    /** Jobs: incremented by every turn, so that a delivery of an earlier turn matches nothing. */
    slice: integer('slice').notNull().default(0),
    /** Jobs: when a delivery of this slice must be dispatched to the engine; null when the engine has it. */
    dispatchDueAt: moment('dispatch_due_at'),
    /** Jobs: since when it waits for approvals, without worker and lease; null if it does not. */
    waitingSince: moment('waiting_since'),
    /** Jobs: when the engine first accepted a delivery. */
    dispatchedAt: moment('dispatched_at'),
    /** Jobs: workers lost since the last committed step. */
    losses: integer('losses').notNull().default(0),
    startedAt: moment('started_at'),
    /** Jobs: the maximum working time. */
    limitSeconds: integer('limit_seconds'),
    /** Jobs: when the working time ends. */
    deadlineAt: moment('deadline_at'),
    /** True once the event log is reduced to its first and last row. */
    logTrimmed: boolean('log_trimmed').notNull().default(false),
    createdAt: moment('created_at').notNull(),
    completedAt: moment('completed_at'),
  },
  (t) => [
    foreignKey({
      name: 'runs_session_fk',
      columns: [t.sessionRowId],
      foreignColumns: [sessions.id],
    }).onDelete('cascade'),
    check('runs_tool_context_in_flight', sql`tool_context_sealed is null or status in ('queued', 'running')`),
    uniqueIndex('runs_session_seq').on(t.sessionRowId, t.sessionSeq),
    uniqueIndex('runs_parent_step').on(t.parentRunId, t.stepKey).where(sql`parent_run_id is not null`),
    // A member's earlier runs in its team's session, newest first.
    index('runs_members').on(t.sessionRowId, t.entityId, t.createdAt).where(sql`parent_run_id is not null`),
    // Lists of runs, newest first: those of an organization leave out runs started by nodes of workflows. A run enters
    // each of these indexes once when it starts and once when it ends.
    index('runs_newest')
      .on(t.organizationId, t.kind, t.createdAt, t.id)
      .where(sql`parent_run_id is null and workflow_run_id is null`),
    index('runs_of_entity')
      .on(t.organizationId, t.entityId, t.createdAt, t.id)
      .where(sql`parent_run_id is null`),
    index('runs_not_completed')
      .on(t.organizationId, t.kind, t.status, t.createdAt, t.id)
      .where(sql`parent_run_id is null and workflow_run_id is null and status <> 'completed'`),
    // Recent failures by the end of the run: a run may wait for days before it fails.
    index('runs_failed')
      .on(t.organizationId, t.completedAt)
      .where(sql`parent_run_id is null and workflow_run_id is null and status in ('failed', 'timeout')`),
    // Only runs in flight: leases and the sweep for lost runs use this small index. It has no column that a
    // renewal changes, so renewals stay heap-only.
    index('runs_in_flight').on(t.workerId).where(sql`status = 'running'`),
    // Jobs in flight, scanned by the dispatch sweep.
    index('runs_jobs_in_flight')
      .on(t.createdAt)
      .where(sql`source = 'api_async' and status in ('queued', 'running')`),
    // Runs of workflow nodes in flight, scanned by the sweep for orphans.
    index('runs_of_workflows_in_flight')
      .on(t.workflowRunId)
      .where(sql`source = 'workflow' and status in ('queued', 'running')`),
    // Runs ended by a cancel or a sweep: their worker can no longer erase their texts.
    index('runs_texts_to_erase')
      .on(t.completedAt)
      .where(sql`not store_messages and input is not null and completed_at is not null`),
    // Jobs in flight whose `tool_context` a rotation of keys seals again.
    index('runs_tool_contexts').on(t.organizationId).where(sql`tool_context_sealed is not null`),
    index('runs_to_learn_from').on(t.memoryDueAt).where(sql`memory_due_at is not null`),
    index('runs_of_playground').on(t.createdAt).where(sql`is_test and parent_run_id is null`),
    index('runs_untrimmed_logs').on(t.completedAt).where(sql`source <> 'api_sync' and not log_trimmed`),
  ],
)

/** The event log of a stream; `data` without `event` and `seq`. */
export const runEvents = pgTable(
  'run_events',
  {
    runId: uuid('run_id')
      .notNull()
      .references(() => runs.id, { onDelete: 'cascade' }),
    seq: integer('seq').notNull(),
    seqFrom: integer('seq_from').notNull(),
    organizationId: organizationId(),
    event: text('event').notNull(),
    data: document('data').notNull(),
    cuts: integer('cuts').array(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.runId, t.seq] })],
)

export const runMessages = pgTable(
  'run_messages',
  {
    runId: uuid('run_id')
      .notNull()
      .references(() => runs.id, { onDelete: 'cascade' }),
    idx: integer('idx').notNull(),
    organizationId: organizationId(),
    role: text('role').notNull(),
    /** null for an assistant message that only called tools. */
    content: freeText('content'),
    toolCalls: document('tool_calls'),
    toolCallId: text('tool_call_id'),
    toolName: text('tool_name'),
    isError: boolean('is_error'),
    /** Set for a model's step: provider state to send back with it. Never shown; null if there is none. */
    state: document('state'),
    agentId: uuid('agent_id'),
    agentName: freeText('agent_name'),
    createdAt: moment('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.runId, t.idx] })],
)

/**
 * The journal of a job: the result of every finished model call, tool call and decision, under its stable key. The next
 * worker of a job replays it instead of repeating them. Deleted when the job ends.
 */
export const runSteps = pgTable(
  'run_steps',
  {
    runId: uuid('run_id')
      .notNull()
      .references(() => runs.id, { onDelete: 'cascade' }),
    key: text('key').notNull(),
    organizationId: organizationId(),
    /** The kind of the step; null: written before kinds were stored. */
    name: text('name'),
    /** The version of the shape of `output`. */
    version: integer('version').notNull().default(1),
    output: document('output').notNull(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.runId, t.key] })],
)

/**
 * The prompts of the models of a root run and of its members (`StoredPrompts`), one row for each step of a job; the last
 * part is in the row of the run. Kept as long as its messages.
 */
export const runPrompts = pgTable(
  'run_prompts',
  {
    runId: uuid('run_id')
      .notNull()
      .references(() => runs.id, { onDelete: 'cascade' }),
    series: uuid('series').notNull(),
    part: integer('part').notNull(),
    organizationId: organizationId(),
    content: document('content').notNull(),
  },
  (t) => [primaryKey({ columns: [t.runId, t.series, t.part] })],
)
