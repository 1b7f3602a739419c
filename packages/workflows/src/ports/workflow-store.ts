import type { IdempotencyClaim, Scope } from '@troupe/agents/ports'
import type {
  ApiKeyId,
  OrganizationId,
  ProjectId,
  RunId,
  UserId,
  WorkflowDeploymentId,
  WorkflowId,
  WorkflowRunId,
  WorkflowVersionId,
} from '@troupe/contract'
import type { Delivery, TurnFence, TurnStore } from '@troupe/durable-work'
import type { Seed, TestOfRun, TestScope } from '@troupe/graph'
import type { NewReview } from './review-store.ts'
import type { RunScope } from './run-scope.ts'

/** How a workflow run was started. */
export type WorkflowRunSource = 'api_sync' | 'api_async' | 'webhook' | 'form' | 'schedule' | 'builder'
/** The states that occupy a slot: a run in one of them counts against its organization's ceiling. */
export const IN_FLIGHT_STATUSES = ['queued', 'running', 'paused', 'awaiting_approval'] as const
/** The states that never change. */
export const ENDED_STATUSES = [
  'completed',
  'failed',
  'loop_limit_reached',
  'policy_blocked',
  'cancelled',
  'concurrency_limit_reached',
] as const
/** A terminal state of a workflow run. */
export type EndedWorkflowStatus = (typeof ENDED_STATUSES)[number]
/** The state of a workflow run. */
export type WorkflowRunStatus = (typeof IN_FLIGHT_STATUSES)[number] | EndedWorkflowStatus

/** The properties of a test, without its seeds. */
export interface TestTerms {
  scope: TestScope
  /** Whether its steps may have effects that reach beyond the run; a list names the steps that may. */
  effects: boolean | readonly string[]
  /** Names of secret fields of the runs that its seeds were copied from: their values are masked in its trace, too. */
  secretNames: readonly string[]
}

/** A seed whose values are copied from its run by the statement that stores it, because they can be megabytes. */
export interface CopiedSeed extends Seed {
  copy: {
    /** The frame of the step in the run that it is copied from. */
    path: string
    /** Of a Loop: the number of copied first iterations; null: its whole output. */
    first: number | null
    /** Of a Loop: the steps in it that set variables. */
    writers: readonly string[]
    /** Fields that replace those of the copied output, if it is an object; null: none. */
    fields: Readonly<Record<string, unknown>> | null
  }
}

/** A test about to be accepted. */
export interface NewTest extends TestTerms {
  /** The version that it runs, published or not. */
  versionId: WorkflowVersionId
  /** At most 50 MB in all. */
  seeds: readonly (Seed | CopiedSeed)[]
}

/** A run about to be accepted. Its workflow has not been read yet: one statement decides. */
export interface NewWorkflowRun {
  runId: WorkflowRunId
  scope: Scope
  workflowId: WorkflowId
  /** The version that the request was validated against; null: the active one. */
  versionId: WorkflowVersionId | null
  source: WorkflowRunSource
  /** The Recurrence that fired; null for other sources. */
  firedNodeId: string | null
  /** The scheduled time, in milliseconds since the epoch; null for other sources. */
  scheduledFor: number | null
  /** The caller's input, JSON. */
  input: unknown
  apiKeyId: ApiKeyId | null
  /** The UUID of the signed-in user who started it; null if none did. */
  startedByUserId: UserId | null
  /** The run of an agent or a team whose tool started it; absent if none did. */
  startedByRunId?: RunId | null
  /** The process of a synchronous caller; null if no caller waits. */
  waiter: string | null
  /**
   * Set when this process works on the run immediately, without an engine: the run is then accepted as
   * `running`.
   */
  claim: { workerId: string; leaseSeconds: number } | null
  idempotency: IdempotencyClaim | null
  /** Makes it a test, which takes a slot and spends budgets for models, and is not a run of production; absent or null: none. */
  test?: NewTest | null
  /** Milliseconds since the epoch. */
  createdAt: number
}

/**
 * The outcome of a start; `seeds_gone`: the run that seeds are copied from was erased; `version_changed`: `versionId`
 * is not the active one; `tests_in_flight`: the user has the maximum number of tests in flight, oldest first. All but
 * the first wrote a row with a terminal status or no row.
 */
export type AcceptOutcome =
  | {
      kind: 'accepted'
      status: 'queued' | 'running'
      projectId: ProjectId | null
      /** null for a test. */
      deploymentId: WorkflowDeploymentId | null
      versionId: WorkflowVersionId
    }
  | { kind: 'rejected'; status: 'policy_blocked' | 'concurrency_limit_reached'; error: string }
  | { kind: 'workflow_not_found' | 'forbidden' | 'workflow_not_published' | 'version_changed' }
  | { kind: 'seeds_gone' | 'seeds_too_large' }
  | { kind: 'tests_in_flight'; runIds: readonly WorkflowRunId[] }
  | { kind: 'idempotency_key_used'; runId: WorkflowRunId; bodyHash: string }

/** The stored state of a node in one frame. */
export interface StoredNodeRun {
  /** Empty for the root, otherwise `loop1[3]/inner[0]`. */
  path: string
  nodeId: string
  status: 'running' | 'waiting' | 'completed' | 'failed'
  /** From 1; incremented with each start of an effect. */
  attempt: number
  /** Failed attempts of earlier turns that may be retried. */
  retry: number
  /**
   * Of a `running` node: its next attempt starts no earlier, in milliseconds since the epoch; null: it is
   * running.
   */
  retryAt: number | null
  handles: readonly string[] | null
  /** The node's input, for the trace; of a Loop its items, which a resumed run needs. JSON. */
  input: unknown
  /**
   * null for a completed Loop with iterations: its output is theirs, and {@link WorkflowRunStore.nodes}
   * returns it.
   */
  output: unknown
  error: string | null
  /** The agent or team run that the node started. */
  agentRunId: RunId | null
  /** A remark for users on a node that completed; absent or null: none. */
  note?: string | null
  /** Of a test run: the node took a seed and was not executed. Absent: false. */
  seeded?: boolean
  inputTokens: number
  outputTokens: number
  /** Order within the run. */
  seq: number
  /** Milliseconds since the epoch. */
  startedAt: number | null
  completedAt: number | null
}

/** The output of a finished iteration of a Loop. */
export interface StoredIteration {
  path: string
  nodeId: string
  index: number
  output: unknown
}

/** The turn of a run that a write belongs to: the write is refused once another worker holds the run. */
export interface WorkflowFence extends TurnFence {
  runId: WorkflowRunId
}

/** The properties that make a claimed run a test run: the scope and the seeds of its graph, and the permitted effects. */
export interface TestOfWorkflowRun extends TestOfRun, TestTerms {
  /** The UUID of the user who started it, and the only one asked by its reviews; null: the operator. */
  testerId: UserId | null
}

/**
 * A run claimed by this worker for one slice, with the stored state it needs: the nodes of frames that have
 * not ended; nodes that are `running` or `waiting` include their `input`, the others omit it.
 */
export interface ClaimedWorkflowRun {
  fence: WorkflowFence
  organizationId: OrganizationId
  projectId: ProjectId | null
  workflowId: WorkflowId
  versionId: WorkflowVersionId
  source: WorkflowRunSource
  firedNodeId: string | null
  input: unknown
  variables: Record<string, unknown>
  apiKeyId: ApiKeyId | null
  waiter: string | null
  /** Milliseconds since the epoch. */
  createdAt: number
  startedAt: number
  nodeRuns: readonly StoredNodeRun[]
  /** Iterations of the Loops among these nodes. */
  iterations: readonly StoredIteration[]
  /** The highest stored `seq`; 0 when there is none. */
  lastSeq: number
  /** Size of all stored outputs, of nodes and iterations, as JSON. */
  storedBytes: number
  /** Null for a production run. */
  test: TestOfWorkflowRun | null
}

/** A worker's writes in one statement. */
export interface WorkflowCommit {
  fence: WorkflowFence
  organizationId: OrganizationId
  /**
   * The waiting caller's process, from the run's row; it is notified of the end unless it is the fence's
   * process.
   */
  waiter: string | null
  /** `yielded` releases the run for another turn: the next slice, due at `dueAt` (milliseconds since the epoch). */
  to:
    | { status: 'running' }
    | { status: 'awaiting_approval'; statusReason: string }
    | { status: 'yielded'; dueAt: number }
    | { status: 'completed' | 'failed' | 'loop_limit_reached'; output: unknown; error: string | null }
  /** null: unchanged. */
  variables: Record<string, unknown> | null
  /** Replaces the stored row of the same node in the same frame. */
  nodeRuns: readonly StoredNodeRun[]
  /**
   * The rows of effects that are about to start, with `to` as `running`. Written unless a budget is
   * exhausted.
   */
  starting?: readonly StoredNodeRun[]
  iterations: readonly StoredIteration[]
  /** Opened with the rows of their nodes, once for each node of a frame. */
  reviews?: readonly NewReview[]
}

/**
 * The row's state after a commit.
 *
 * - `paused`: all but `starting` is written, no effect may start, and the run did not end. A worker that sent
 *   a status other than `running` has released it.
 * - `out_of_budget`: a budget for model calls is exhausted. All but `starting` is written, the run is paused,
 *   and the effects of `starting` must not start.
 * - `wake`: a review was decided that the worker had not seen when it sent `awaiting_approval` or
 *   `completed`. The rows are written, and the run is still running under this worker: {@link
 *   WorkflowRunStore.reload} it and continue. Failures and `yielded` are committed regardless.
 * - `lost`: nothing was written; another worker holds the run, it is paused without one, or it has ended as
 *   `status`.
 */
export type CommitOutcome =
  | { kind: 'committed'; status: WorkflowRunStatus; slice: number }
  | { kind: 'paused' }
  | { kind: 'out_of_budget' }
  | { kind: 'wake' }
  | { kind: 'lost'; status: WorkflowRunStatus | null }

/** A run as the API returns it. */
export interface WorkflowRunRecord {
  runId: WorkflowRunId
  workflowId: WorkflowId
  versionId: WorkflowVersionId
  source: WorkflowRunSource
  status: WorkflowRunStatus
  statusReason: string | null
  output: unknown
  error: string | null
  /** Milliseconds since the epoch. */
  createdAt: number
  startedAt: number | null
  completedAt: number | null
}

/**
 * Port: the rows of workflow runs. A slot is a row in flight. In addition to {@link TurnStore}, the sweep
 * ends a run that was lost for good together with its running nodes; paused runs stay paused, and open
 * reviews are left unchanged. Methods throw only when the database fails.
 */
export interface WorkflowRunStore extends TurnStore<WorkflowRunId, ClaimedWorkflowRun> {
  /**
   * Decides and writes a start in one round trip: the workflow, its active deployment, budgets, the ceiling,
   * the row. Exact under concurrency: an organization never exceeds its ceiling of runs in flight. A second
   * round trip is needed only when an organization nears its ceiling or gets its first budget.
   */
  accept(run: NewWorkflowRun): Promise<AcceptOutcome>
  /**
   * Writes rows and, except where {@link CommitOutcome} says otherwise, the status; all or nothing. If a node
   * or iteration has two rows, the last one is written. A row that is not `running`, or an iteration, resets
   * the count of losses.
   */
  commit(commit: WorkflowCommit): Promise<CommitOutcome>
  /**
   * Reloads a run that this worker holds, after `wake`, and clears the mark. null when the fence does not
   * hold.
   */
  reload(fence: WorkflowFence): Promise<ClaimedWorkflowRun | null>
  /**
   * Any state in flight → `cancelled`, and notifies every process (`workflow_run_cancelled`; for a waiting caller
   * `workflow_run_ended` too). Null when there is no such run in the scope.
   */
  cancel(
    scope: RunScope,
    runId: WorkflowRunId,
  ): Promise<{ cancelled: boolean; status: WorkflowRunStatus } | null>
  /** Adds the running nodes to the trace of a cancelled run; changes no status. */
  settleCancelled(fence: WorkflowFence, nodeRuns: readonly StoredNodeRun[]): Promise<void>
  /**
   * `running` or `awaiting_approval` → `paused`. A worker keeps the run until it commits a status other than
   * `running`. A run that is also out of budget stays paused when its budget has room again.
   */
  pause(scope: RunScope, runId: WorkflowRunId): Promise<{ paused: boolean; status: WorkflowRunStatus } | null>
  /**
   * `paused` → `running` with a delivery due, or `awaiting_approval` when only reviews are left. While a worker still
   * holds the run there is no delivery: that worker releases it for another turn.
   */
  resume(
    scope: RunScope,
    runId: WorkflowRunId,
  ): Promise<{ resumed: boolean; status: WorkflowRunStatus; delivery: Delivery | null } | null>
  /**
   * Resumes out-of-budget runs like {@link WorkflowRunStore.resume}, once each of their budgets has room
   * again: its limit was raised, or another month has started. Returns the due deliveries.
   *
   * @param organizationId null: those of all organizations, which also keeps queries of usage cheap
   */
  resumeWithinBudget(organizationId?: OrganizationId | null): Promise<Delivery[]>
  /**
   * The inline dispatch of a waiting caller failed: `queued` → `failed`. False when a worker has already
   * claimed it.
   */
  failDispatch(runId: WorkflowRunId, error: string): Promise<boolean>
  find(scope: RunScope, runId: WorkflowRunId): Promise<WorkflowRunRecord | null>
  /** One page of the trace in order, with the run's input; null when the scope has no such run. */
  nodes(
    scope: RunScope,
    runId: WorkflowRunId,
    page: { page: number; limit: number },
  ): Promise<{ versionId: WorkflowVersionId; input: unknown; rows: StoredNodeRun[]; total: number } | null>
  /**
   * Cancels node runs of agents and teams whose workflow run has ended and which no worker will finish; every
   * process is notified (`run_cancelled`). Returns how many.
   */
  endOrphans(): Promise<number>
  /**
   * Applies each organization's retention: erases inputs and outputs of nodes of runs that ended more than
   * `traceDays` before `now` (milliseconds since the epoch), and deletes runs that ended more than `runDays`
   * before. Runs in flight are never changed.
   */
  sweepExpired(now: number): Promise<void>
}
