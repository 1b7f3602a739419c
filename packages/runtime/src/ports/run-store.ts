import type {
  AgentId,
  AgentVersionId,
  ApiKeyId,
  OrganizationId,
  ProjectId,
  RunId,
  SessionRowId,
} from '@troupe/contract'
import type { ModelAttempt } from './chat-models.ts'
import type { Scope } from './scope.ts'

/** How a run was started. Synchronous and streaming runs live in one process and are never resumed. */
export type RunSource = 'api_sync' | 'api_stream'
/** Statuses of a run row. A terminal status never changes. */
export type RunStatus = 'running' | 'completed' | 'failed' | 'timeout' | 'cancelled'
/** Why a run's work was stopped from outside. */
export type AbortReason = 'cancel' | 'deadline' | 'budget' | 'shutdown' | 'disconnect'
/** What a model call was for; a column of the ledger. */
export type ModelPurpose = 'chat' | 'summary'

/** Names one conversation. The same `externalId` on another agent is another session. */
export interface SessionKey {
  organizationId: OrganizationId
  /** The agent's project, not the key's. */
  projectId: ProjectId | null
  kind: 'agent'
  entityId: AgentId
  /** The public `session_id`. */
  externalId: string
}

/** An earlier run of a session, as the next one replays it. */
export interface HistoryRun {
  seq: number
  status: 'completed' | 'cancelled'
  input: string
  /** Final text, or the partial text of a cancelled run; null when nothing was written. */
  content: string | null
}

/** What a run knows of its session when it starts. */
export interface SessionState {
  sessionRowId: SessionRowId
  /** The public `user_id` of the owner. */
  ownerUserId: string
  summary: { text: string; coversSeq: number; version: number } | null
  /** Newest last; only runs after the summary; cut to `maxBytes` of text with the oldest dropped first. */
  history: HistoryRun[]
  /** UTF-8 bytes of text in all completed and cancelled runs after the summary, before cutting. */
  unsummarisedBytes: number
}

/** A run about to start. Its row, its session and the user message are written together. */
export interface NewRun {
  runId: RunId
  session: SessionKey
  /** The caller's `user_id`, or a generated one when the caller gave none. */
  userId: string
  /** True when the caller named the user: then the session must belong to that user. */
  userIdGiven: boolean
  agentVersionId: AgentVersionId
  source: RunSource
  input: string
  includeMessages: boolean
  tag: string | null
  apiKeyId: ApiKeyId
  /** The process that executes the run. */
  workerId: string
  /** Seconds until the run counts as lost unless its lease is renewed. */
  leaseSeconds: number
  /** Milliseconds since the epoch. */
  createdAt: number
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
  | { kind: 'idempotency_key_used'; runId: RunId; bodyHash: string }

/** One stored message of a run. */
export interface NewRunMessage {
  idx: number
  role: 'user' | 'assistant'
  content: string
  agentId: AgentId | null
  createdAt: number
}

/** A ledger row: one attempt at one provider, with its purpose and its cost in millionths of a US dollar. */
export interface UsageRecord extends ModelAttempt {
  purpose: ModelPurpose
  /** null when the model has no price. */
  costMicros: number | null
}

/** How a run ended. */
export interface RunEnd {
  runId: RunId
  organizationId: OrganizationId
  projectId: ProjectId | null
  agentId: AgentId
  status: Exclude<RunStatus, 'running'>
  success: boolean
  /** Final or partial text; null when there is none or when messages are not stored. */
  content: string | null
  /** False erases the texts of the run (`privacy.store_messages`). */
  storeMessages: boolean
  messages: readonly NewRunMessage[]
  errorCode: string | null
  /** Safe public message. */
  errorMessage: string | null
  stopReason: AbortReason | null
  inputTokens: number
  outputTokens: number
  failoverUsed: boolean
  /** Milliseconds since the epoch. */
  completedAt: number
  usage: readonly UsageRecord[]
  userId: string
  tag: string | null
  /**
   * The tail of a streaming run's log that is not written yet, its terminal event last: written in the same statement,
   * so that a log never lacks its end. Empty for synchronous runs.
   */
  events: readonly StoredEvent[]
}

/** Whether this call ended the run, or what had ended it before. */
export type FinishOutcome = { finished: true } | { finished: false; status: RunStatus | null }

/** What another process did to a run that this one executes, or a finished run as it is stored. */
export interface RunRecord {
  runId: RunId
  agentId: AgentId
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
  createdAt: number
  completedAt: number | null
  messages: readonly (NewRunMessage & { runId: RunId })[]
}

/**
 * One row of a stream's event log. Joined deltas share a row: `cuts` are the cumulative UTF-16 lengths of the deltas
 * `seqFrom..seq`, so that a replay may start inside the row. Other events have `seqFrom === seq` and no cuts.
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
  /** The session with its summary and at most `maxBytes` of history, or null when there is none yet. */
  session(key: SessionKey, limits: { maxBytes: number; maxRuns: number }): Promise<SessionState | null>
  /** Writes session (if new), run and, if given, the idempotency claim; all or nothing. */
  start(run: NewRun): Promise<StartOutcome>
  /** `running` → the end's status, with messages, ledger and session time; all or nothing. */
  finish(end: RunEnd): Promise<FinishOutcome>
  /**
   * `running` → `cancelled` for a run of that agent within the scope, and notifies every process. The executing process
   * adds partial text and ledger afterwards by {@link RunStore.settleCancelled}.
   */
  cancel(scope: Scope, agentId: AgentId, runId: RunId): Promise<{ cancelled: boolean } | null>
  /** Adds texts, messages, ledger and the tail of the log to a run that was cancelled from elsewhere. */
  settleCancelled(end: RunEnd): Promise<void>
  /** The run within the scope, or null. */
  find(scope: Scope, agentId: AgentId, runId: RunId): Promise<RunRecord | null>
  /** Which of these runs are no longer `running`: the poll behind the cancel notification. */
  ended(runIds: readonly RunId[]): Promise<RunId[]>
  /** Renews the leases of these running runs of a process. A row that it has given up is not among them and expires. */
  renewLeases(workerId: string, runIds: readonly RunId[], leaseSeconds: number): Promise<void>
  /**
   * Ends as `failed` every run whose lease has expired, or with `all` every running run (at boot, when no other process
   * can exist). Streaming runs get their `RunError` event. Returns how many.
   */
  failLost(options: { all: boolean; errorCode: string; errorMessage: string }): Promise<number>
  /** Appends to the event log of a run. */
  appendEvents(runId: RunId, organizationId: OrganizationId, events: readonly StoredEvent[]): Promise<void>
  /** Rows with `seq > after` in order. */
  eventsAfter(runId: RunId, after: number): Promise<StoredEvent[]>
  /** Writes a new summary version unless another process was faster. */
  saveSummary(summary: {
    sessionRowId: SessionRowId
    organizationId: OrganizationId
    projectId: ProjectId | null
    version: number
    text: string
    coversSeq: number
    modelId: string
  }): Promise<void>
  /** Ledger rows of background calls, which belong to no result. */
  recordUsage(
    run: Pick<RunEnd, 'runId' | 'organizationId' | 'projectId' | 'agentId' | 'userId' | 'tag' | 'usage'>,
  ): Promise<void>
  /** Deletes what retention says: old event logs but their first and last row, expired idempotency keys. */
  sweepExpired(now: { eventsBefore: number; idempotencyBefore: number }): Promise<void>
}
