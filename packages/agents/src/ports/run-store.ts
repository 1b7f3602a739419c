import type {
  AgentId,
  AgentVersionId,
  ApiKeyId,
  Citation,
  GuardrailFlag,
  KnowledgeBaseId,
  KnowledgeDocumentId,
  ModelPurpose,
  OrganizationId,
  ProjectId,
  PromptId,
  RunId,
  RunPlan,
  SessionRowId,
  TeamId,
  TeamVersionId,
  UserId,
  WorkflowRunId,
} from '@troupe/contract'
import type { AbortReason, TurnFence } from '@troupe/durable-work'
import type { ModelAttempt } from './chat-models.ts'
import type { Scope } from './scope.ts'
import type { StoredPrompts } from './sent-prompt.ts'
import type { HistoryLimits, HistoryRun, SessionHistoryLimits, StoredSessionState } from './session-state.ts'
import type { StepState } from './step-state.ts'

/**
 * How a run was started. Synchronous and streaming runs are bound to one process and never resumed;
 * asynchronous ones are jobs, which any worker can resume; runs of workflow nodes resume with their workflow. Runs of the
 * playground are streaming runs of people who build, and those of voice are the turns of a spoken conversation.
 */
export type RunSource = 'api_sync' | 'api_stream' | 'api_async' | 'workflow' | 'playground' | 'voice'
/** Statuses of a run row. A terminal status never changes; only jobs are ever `queued`. */
export type RunStatus = 'queued' | 'running' | 'completed' | 'failed' | 'timeout' | 'cancelled'
/** The statuses that end a run. */
export type EndStatus = Exclude<RunStatus, 'queued' | 'running'>
/** The kinds of runnables whose runs are conversations: a single agent or a team. */
export type RunnableKind = 'agent' | 'team'

/** A root run as a caller identifies it. Members' runs cannot be found by their own id. */
export interface RunTarget {
  kind: RunnableKind
  /** The agent or team of the path; null when the path contains only a job. */
  entityId: AgentId | TeamId | null
  runId: RunId
  /** Runs of the playground are found only as such, and others never as runs of the playground. */
  isPlayground: boolean
}

/** Identifies one conversation. The same `sessionId` on another agent or team is another session. */
export interface SessionKey {
  organizationId: OrganizationId
  /** The agent's or team's project, not the key's. */
  projectId: ProjectId | null
  kind: RunnableKind
  entityId: AgentId | TeamId
  /** The public `session_id`. */
  sessionId: string
  /** The playground has separate sessions, even with equal `session_id`s. */
  isPlayground: boolean
}

/** A run about to start. Its row, its session and the user message are written together. */
export interface NewRun {
  runId: RunId
  session: SessionKey
  /** The caller's `user_id`, or a generated one when the caller gave none. */
  userId: string
  /** True if the caller named the user: the session must then belong to that user. */
  userIdGiven: boolean
  entityVersionId: AgentVersionId | TeamVersionId
  /** The agent versions of a team's job. */
  pins: Readonly<Record<AgentId, AgentVersionId>> | null
  /**
   * Jobs and runs of workflow nodes are written as `queued`, without worker and lease, and only jobs are due
   * for dispatch; every other run is written as `running`.
   */
  source: RunSource
  /** The workflow run that this node belongs to; null for every other run. */
  workflowRunId: WorkflowRunId | null
  /** The longest working time, in seconds. */
  limitSeconds: number
  input: string
  includeMessages: boolean
  /** False: the run's texts are erased when it ends (`privacy.store_messages`). */
  storeMessages: boolean
  tag: string | null
  /** null: not started with an API key. */
  apiKeyId: ApiKeyId | null
  /** The user who started it in the builder; null if none. */
  startedByUserId: UserId | null
  /** The process that executes the run. */
  workerId: string
  /** Seconds until the run counts as lost unless its lease is renewed. */
  leaseSeconds: number
  /** Milliseconds since the epoch. */
  createdAt: number
  /** Jobs: the sealed `tool_context`, for the turns of any worker; null without one. Erased with the end. */
  toolContextSealed: string | null
  /** The amounts reserved in the budgets of the organization and the project until the run ends. */
  reserved: { tokens: number; costMicros: number }
  idempotency: IdempotencyClaim | null
}

/** An `Idempotency-Key` of a request, unique per API key and path for 24 hours. */
export interface IdempotencyClaim {
  path: string
  key: string
  /** SHA-256 of the canonical body, hex. */
  bodyHash: string
}

/** The outcome of writing a new run. Only `started` wrote anything. */
export type StartOutcome =
  | { kind: 'started'; ownerUserId: string; sessionSeq: number }
  | { kind: 'session_of_another_user' }
  /** A budget of the organization or the project is used up; callers may read the message. */
  | { kind: 'budget_exceeded'; message: string }
  | { kind: 'idempotency_key_used'; runId: RunId; bodyHash: string }

/** A model's tool call as displayed: the id is generated here. */
export interface StoredToolCall {
  id: string
  name: string
  arguments: unknown
  /** Absent while the call has no result. */
  status?: ToolCallStatus
  /** Milliseconds; absent for a call that was not executed. */
  ms?: number
  /** When it began, after its approval if it needed one, in milliseconds since the epoch; absent if `ms` is, and in older runs. */
  startedAt?: number
}

/** `denied`: the tool was not called, because a limit or a person refused it. */
export type ToolCallStatus = 'ok' | 'error' | 'denied'

/** One stored message of a run. */
export interface NewRunMessage {
  idx: number
  role: 'user' | 'assistant' | 'tool'
  /** null for an assistant message that only calls tools. */
  content: string | null
  toolCalls: readonly StoredToolCall[] | null
  toolCallId: string | null
  toolName: string | null
  isError: boolean | null
  /** Set for a model's step: provider state to send back with it; never shown. Absent or null: none. */
  state?: StepState | null
  agentId: AgentId | null
  agentName: string | null
  /** Milliseconds since the epoch. */
  createdAt: number
}

/** A ledger row: one attempt at one provider, with its purpose and its cost in millionths of a US dollar. */
export interface UsageRecord extends ModelAttempt {
  purpose: ModelPurpose
  /** The agent that called; null for a managed lead. */
  agentId: AgentId | null
  /** The member's run that called; null for the root run itself. */
  memberRunId: RunId | null
  /** The prompt in {@link StoredPrompts} of the run. Absent or null: it is not kept. */
  promptId?: PromptId | null
  /** null if the model has no price. */
  costMicros: number | null
}

/** The run of a team's member, written as a whole at its end. */
export interface MemberRun {
  runId: RunId
  /** The member's step; unique within the parent: `member:m1:0`. */
  stepKey: string
  agentId: AgentId
  agentVersionId: AgentVersionId
  status: EndStatus
  success: boolean
  /** The member's user message. */
  input: string
  content: string | null
  errorCode: string | null
  /** Safe public message. */
  errorMessage: string | null
  inputTokens: number
  outputTokens: number
  failoverUsed: boolean
  /** Milliseconds since the epoch. */
  createdAt: number
  completedAt: number
  messages: readonly NewRunMessage[]
  /** Whether memories about the user are extracted from its texts afterwards. */
  learns?: boolean
}

/** How a run ended. */
export interface RunEnd {
  runId: RunId
  organizationId: OrganizationId
  projectId: ProjectId | null
  kind: RunnableKind
  entityId: AgentId | TeamId
  /** null for runs bound to one process. */
  fence: TurnFence | null
  status: EndStatus
  success: boolean
  /** The user message after guardrails; null: unchanged. */
  input: string | null
  /** Guardrail rules that the run's texts broke; empty if none. */
  flags: readonly GuardrailFlag[]
  /** Final or partial text; null if there is none or when messages are not stored. */
  content: string | null
  /** False erases the texts of the run (`privacy.store_messages`). */
  storeMessages: boolean
  /** Whether memories about the user are extracted from its texts afterwards. */
  learns?: boolean
  /** The agent that wrote `content`; null for a managed lead. */
  answerAgentId: AgentId | null
  /** The plan of a plan-execute run. */
  plan: RunPlan | null
  /** Citations of the answer; absent or null if the run retrieved no passages. */
  citations?: readonly Citation[] | null
  messages: readonly NewRunMessage[]
  /** Members' runs not yet written. */
  members: readonly MemberRun[]
  errorCode: string | null
  /** Safe public message. */
  errorMessage: string | null
  stopReason: AbortReason | null
  /** Totals of the whole run, members included. */
  inputTokens: number
  outputTokens: number
  failoverUsed: boolean
  /** Milliseconds since the epoch. */
  completedAt: number
  /** Ledger rows not yet written. */
  usage: readonly UsageRecord[]
  /** Prompts that are not written yet. Absent or null: none. */
  prompts?: StoredPrompts | null
  userId: string
  tag: string | null
  /**
   * The unwritten tail of a streaming run's log, its terminal event last: written in the same statement, so
   * that a log never lacks its end. Empty for synchronous runs.
   */
  events: readonly StoredEvent[]
}

/** Whether this call ended the run, or the status that had already ended it. */
export type FinishOutcome = { finished: true } | { finished: false; status: RunStatus | null }

/** A root run as it is stored. */
export interface RunRecord {
  runId: RunId
  kind: RunnableKind
  entityId: AgentId | TeamId
  status: RunStatus
  source: RunSource
  success: boolean | null
  content: string | null
  errorCode: string | null
  errorMessage: string | null
  sessionId: string
  userId: string
  inputTokens: number
  outputTokens: number
  failoverUsed: boolean
  includeMessages: boolean
  plan: RunPlan | null
  /** null if none. */
  flags: readonly GuardrailFlag[] | null
  citations?: readonly Citation[] | null
  createdAt: number
  /** When a worker first claimed it; null for an unclaimed job. */
  startedAt: number | null
  completedAt: number | null
  /** The messages of the run and its members by time, each with its run. */
  messages: readonly (NewRunMessage & { runId: RunId })[]
}

/**
 * One row of a stream's event log. Joined deltas share a row: `cuts` are the cumulative UTF-16 lengths of the
 * deltas `seqFrom..seq`, so that a replay can start inside the row. Other events have `seqFrom === seq` and
 * no cuts.
 */
export interface StoredEvent {
  seqFrom: number
  seq: number
  event: string
  data: Record<string, unknown>
  cuts: readonly number[] | null
}

/**
 * Port: the rows of runs and sessions. Every status change is a compare-and-set; every method is one round trip.
 * Methods throw only when the database fails.
 */
export interface RunStore {
  /** The session with its summary and its history within the limits; null if it does not exist yet. */
  session(key: SessionKey, limits: SessionHistoryLimits): Promise<StoredSessionState | null>
  /** Writes session (if new), run and, if given, the idempotency claim; all or nothing. */
  start(run: NewRun): Promise<StartOutcome>
  /** `running` → the end's status, with messages, ledger and session time; all or nothing. */
  finish(end: RunEnd): Promise<FinishOutcome>
  /**
   * `queued` or `running` → `cancelled` for a run within the scope, and notifies every process. The executing process
   * later adds partial text and ledger with {@link RunStore.settleCancelled}. Returns whether this call ended the run,
   * and its status afterwards; null if the scope has no such run.
   */
  cancel(scope: Scope, target: RunTarget): Promise<{ cancelled: boolean; status: RunStatus } | null>
  /** Adds texts, messages, ledger and the tail of the log to a run that was cancelled from elsewhere. */
  settleCancelled(end: RunEnd): Promise<void>
  /** The run within the scope, or null. */
  find(scope: Scope, target: RunTarget): Promise<RunRecord | null>
  /**
   * A member's earlier ended runs in this session of its team, newest last, truncated as in {@link RunStore.session}.
   */
  memberHistory(sessionRowId: SessionRowId, agentId: AgentId, limits: HistoryLimits): Promise<HistoryRun[]>
  /**
   * Ends as `failed` every synchronous or streaming run whose lease has expired, or with `all` every running one (at
   * boot of the only process). Streaming runs get their `RunError` event. Returns their number.
   */
  failLost(options: { all: boolean; errorCode: string; errorMessage: string }): Promise<number>
  /** Appends to a run's event log; writes nothing once the run has ended or the fence no longer holds. */
  appendEvents(
    runId: RunId,
    organizationId: OrganizationId,
    events: readonly StoredEvent[],
    fence: TurnFence | null,
  ): Promise<void>
  /** Rows with `seq > after` in order. */
  eventsAfter(runId: RunId, after: number): Promise<StoredEvent[]>
  /** Writes a new summary version unless another process has written it first. */
  saveSummary(summary: {
    sessionRowId: SessionRowId
    organizationId: OrganizationId
    projectId: ProjectId | null
    version: number
    text: string
    coversSeq: number
    modelId: string
  }): Promise<void>
  /** Whether a budget for models refuses calls for this organization and project now: background calls are then skipped. */
  isOverBudget(owner: Scope): Promise<boolean>
  /** Ledger rows of background calls, which belong to no result; those of a knowledge base and its documents have its id as that of the run. */
  recordUsage(
    run: { runId: RunId | WorkflowRunId | KnowledgeBaseId | KnowledgeDocumentId } & Pick<
      RunEnd,
      'organizationId' | 'projectId' | 'userId' | 'tag' | 'usage'
    >,
  ): Promise<void>
  /** Erases the texts of runs that must not keep them and were not ended by their worker. */
  eraseTexts(): Promise<void>
  /**
   * Applies retention: deletes old event logs except their first and last row, and expired idempotency keys.
   */
  sweepExpired(now: { eventsBefore: number; idempotencyBefore: number }): Promise<void>
}
