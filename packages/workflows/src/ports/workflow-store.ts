import type { IdempotencyClaim, Scope } from '@troupe/agents/ports'
import type {
  ApiKeyId,
  OrganizationId,
  ProjectId,
  RunId,
  WorkflowDeploymentId,
  WorkflowId,
  WorkflowRunId,
  WorkflowVersionId,
} from '@troupe/contract'
import type { Delivery, TurnFence, TurnStore } from '@troupe/turns'
import type { NewReview } from './review-store.ts'

/** How a run of a workflow was started. */
export type WorkflowRunSource = 'api_sync' | 'api_async' | 'webhook' | 'form' | 'schedule' | 'builder'
/** The states of a slot: a run in one of them counts against its organization's ceiling. */
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

/** A run about to be accepted. Nothing is known of its workflow yet: one statement decides. */
export interface NewWorkflowRun {
  runId: WorkflowRunId
  scope: Scope
  workflowId: WorkflowId
  source: WorkflowRunSource
  /** The Recurrence that fired; null for every other source. */
  firedNodeId: string | null
  /** The time for which a schedule planned it, in milliseconds since the epoch; null for every other source. */
  scheduledFor: number | null
  /** What the caller sent, JSON. */
  input: unknown
  apiKeyId: ApiKeyId | null
  /** The signed-in person who started it, if one did. A UUID. */
  startedByUserId: string | null
  /** The process of a synchronous caller; null when nobody waits. */
  waiter: string | null
  /** Set when this process works on the run at once, without an engine: then the run is accepted as `running`. */
  claim: { workerId: string; leaseSeconds: number } | null
  idempotency: IdempotencyClaim | null
  /** Milliseconds since the epoch. */
  createdAt: number
}

/** What became of a start. The last three wrote a row with a terminal status or nothing at all. */
export type AcceptOutcome =
  | {
      kind: 'accepted'
      status: 'queued' | 'running'
      projectId: ProjectId | null
      deploymentId: WorkflowDeploymentId
      versionId: WorkflowVersionId
    }
  | { kind: 'rejected'; status: 'policy_blocked' | 'concurrency_limit_reached'; error: string }
  | { kind: 'workflow_not_found' | 'forbidden' | 'workflow_not_published' }
  | { kind: 'idempotency_key_used'; runId: WorkflowRunId; bodyHash: string }

/** What is stored of a node in one frame. */
export interface StoredNodeRun {
  /** Empty for the root, else `loop1[3]/inner[0]`. */
  path: string
  nodeId: string
  status: 'running' | 'waiting' | 'completed' | 'failed'
  /** From 1 on; one more for each start of an effect. */
  attempt: number
  /** Tries that failed and may be repeated, as far as a turn has ended since. */
  retry: number
  /** Of a `running` node: its next try comes no earlier, in milliseconds since the epoch; null: it is under way. */
  retryAt: number | null
  handles: readonly string[] | null
  /** What the node was given, for the trace; of a Loop what it repeats over, which a resumed run needs. JSON. */
  input: unknown
  /** null of a completed Loop that has iterations: its output is theirs, and told so by {@link WorkflowRunStore.nodes}. */
  output: unknown
  error: string | null
  /** The run of an agent or a team that the node is. */
  agentRunId: RunId | null
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

/** The turn of a run that a write belongs to: it is refused once another worker has the run. */
export interface WorkflowFence extends TurnFence {
  runId: WorkflowRunId
}

/**
 * A run that this worker has for one slice, with what it needs of what earlier turns have stored: the nodes of frames
 * that have not ended, of those that are `running` or `waiting` with their `input`, of the others without.
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
  /** Of the Loops among these nodes. */
  iterations: readonly StoredIteration[]
  /** The highest `seq` of all that is stored; 0 when nothing is. */
  lastSeq: number
  /** Of all outputs that are stored, of nodes and iterations, as JSON. */
  storedBytes: number
}

/** What a worker writes in one statement. */
export interface WorkflowCommit {
  fence: WorkflowFence
  organizationId: OrganizationId
  /** The process of a waiting caller, as the run's row has it; another one than the fence's is told of the end. */
  waiter: string | null
  /** `yielded` gives the run back for another turn: the next slice, due at `dueAt` (milliseconds since the epoch). */
  to:
    | { status: 'running' }
    | { status: 'awaiting_approval'; statusReason: string }
    | { status: 'yielded'; dueAt: number }
    | { status: 'completed' | 'failed' | 'loop_limit_reached'; output: unknown; error: string | null }
  /** null: unchanged. */
  variables: Record<string, unknown> | null
  /** Written over what is there for the same node of the same frame. */
  nodeRuns: readonly StoredNodeRun[]
  /** The rows of effects that are about to start, with `to` as `running`. Written unless a budget is used up. */
  starting?: readonly StoredNodeRun[]
  iterations: readonly StoredIteration[]
  /** Opened with the rows of their nodes, once for each node of a frame. */
  reviews?: readonly NewReview[]
}

/**
 * What the row says after a commit.
 *
 * - `paused`: everything but `starting` is written, nothing new may start, and the run did not end. A worker that sent
 *   anything but `running` has let go of it.
 * - `out_of_budget`: a budget for model calls is used up. Everything but `starting` is written, the run is paused, and the
 *   effects of `starting` must not start.
 * - `wake`: a review was answered that the worker did not know of when it sent `awaiting_approval` or `completed`. The
 *   rows are written, the run is still running and the worker's: {@link WorkflowRunStore.reload} it and go on. Ends that
 *   are failures, and `yielded`, are not held up.
 * - `lost`: nothing was written; another worker has the run, it is paused without one, or it has ended as `status`.
 */
export type CommitOutcome =
  | { kind: 'committed'; status: WorkflowRunStatus; slice: number }
  | { kind: 'paused' }
  | { kind: 'out_of_budget' }
  | { kind: 'wake' }
  | { kind: 'lost'; status: WorkflowRunStatus | null }

/** A run as the API tells it. */
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

/** A run as lists show it: without its output. */
export type WorkflowRunSummary = Omit<WorkflowRunRecord, 'output'>

/** Which runs a list shows; everything unless said. */
export interface WorkflowRunFilter {
  workflowId?: WorkflowId
  status?: WorkflowRunStatus
}

/** A run that a page ends with; `createdAt` in milliseconds since the epoch. */
export type WorkflowRunCursor = Pick<WorkflowRunRecord, 'createdAt' | 'runId'>

/** One page of runs, newest first. `next` is null on the last one. */
export interface WorkflowRunPage {
  runs: WorkflowRunSummary[]
  next: WorkflowRunCursor | null
}

/**
 * Port: the rows of workflow runs. A slot is a row in flight. Beside what {@link TurnStore} says, the sweep ends a run that
 * was lost for good with the nodes that ran; paused runs keep their lease and open reviews are left alone. Methods throw
 * only when the database fails.
 */
export interface WorkflowRunStore extends TurnStore<WorkflowRunId, ClaimedWorkflowRun> {
  /**
   * Decides and writes a start in one round trip: the workflow, its active deployment, budgets, the ceiling, the row.
   * Exact under concurrency: the organization never has more runs in flight than its ceiling. Rarely a second round
   * trip: when an organization comes near its ceiling, or gets its first budget.
   */
  accept(run: NewWorkflowRun): Promise<AcceptOutcome>
  /**
   * Writes rows and, unless {@link CommitOutcome} says otherwise, the status; all or nothing. Of two rows of one node or
   * iteration the last one counts. A row that is not `running`, or an iteration, sets the count of losses to 0.
   */
  commit(commit: WorkflowCommit): Promise<CommitOutcome>
  /** Reads a run that this worker has again, after `wake`, and takes the mark away. null when the fence does not hold. */
  reload(fence: WorkflowFence): Promise<ClaimedWorkflowRun | null>
  /**
   * Any state in flight → `cancelled`, and notifies every process (`workflow_run_cancelled`; for a waiting caller
   * `workflow_run_ended` too). Null when there is no such run in the scope.
   */
  cancel(
    scope: Scope,
    runId: WorkflowRunId,
  ): Promise<{ cancelled: boolean; status: WorkflowRunStatus } | null>
  /** Adds what was running to the trace of a cancelled run; changes no status. */
  settleCancelled(fence: WorkflowFence, nodeRuns: readonly StoredNodeRun[]): Promise<void>
  /**
   * `running` or `awaiting_approval` → `paused`. A worker keeps it until it commits anything but `running`. A run that is
   * out of budget stays paused when its budget has room again.
   */
  pause(scope: Scope, runId: WorkflowRunId): Promise<{ paused: boolean; status: WorkflowRunStatus } | null>
  /**
   * `paused` → `running` with a delivery due, or `awaiting_approval` when only reviews are left. While its worker still
   * has the run there is no delivery: that worker gives it back for another turn.
   */
  resume(
    scope: Scope,
    runId: WorkflowRunId,
  ): Promise<{ resumed: boolean; status: WorkflowRunStatus; delivery: Delivery | null } | null>
  /**
   * Runs that are out of budget → as {@link WorkflowRunStore.resume}, when every budget of theirs has room again: its limit
   * was raised, or another month has begun. Returns the deliveries that are due. Also keeps asking for what was used cheap.
   */
  resumeWithinBudget(): Promise<Delivery[]>
  /** The inline dispatch of a waiting caller failed: `queued` → `failed`. False when a worker has it already. */
  failDispatch(runId: WorkflowRunId, error: string): Promise<boolean>
  find(scope: Scope, runId: WorkflowRunId): Promise<WorkflowRunRecord | null>
  /**
   * One page of runs, newest first, behind the run that the page before ended with (null: the first page). A project scope
   * sees the runs of the workflows of its project.
   */
  list(
    scope: Scope,
    filter: WorkflowRunFilter,
    page: { limit: number; after: WorkflowRunCursor | null },
  ): Promise<WorkflowRunPage>
  /** The trace in order, one page of it, and what the run was started with; null when there is no such run in the scope. */
  nodes(
    scope: Scope,
    runId: WorkflowRunId,
    page: { page: number; limit: number },
  ): Promise<{ versionId: WorkflowVersionId; input: unknown; rows: StoredNodeRun[]; total: number } | null>
  /**
   * Runs of agents and teams that were nodes of a run which has ended, and that nobody brings to an end any more →
   * `cancelled`; every process is notified (`run_cancelled`). Returns how many.
   */
  endOrphans(): Promise<number>
  /**
   * Retention, as each organization has it: inputs and outputs of the nodes of runs that ended more than its `traceDays`
   * before `now` (milliseconds since the epoch), and runs that ended more than its `runDays` before. Runs in flight are
   * never touched.
   */
  sweepExpired(now: number): Promise<void>
}
