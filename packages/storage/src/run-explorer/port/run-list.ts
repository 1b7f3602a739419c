import type { RunnableKind, RunSource, RunStatus } from '@troupe/agents/ports'
import type {
  AgentVersionId,
  AnyRunId,
  AnyRunnableId,
  ApiKeyId,
  ProjectId,
  SessionRowId,
  TeamVersionId,
  WorkflowRunId,
  WorkflowVersionId,
} from '@troupe/contract'
import type { WorkflowRunSource, WorkflowRunStatus } from '@troupe/workflows/ports'

// Every timestamp in this file is in milliseconds since the epoch.

/** The kinds of runs in one list. */
export type ObservedKind = RunnableKind | 'workflow'

/** A run of an agent, a team or a workflow, as lists show it. */
export interface RunOverview {
  runId: AnyRunId
  kind: ObservedKind
  /** Whether it was a trial in the builder. */
  isTest: boolean
  entityId: AnyRunnableId
  /** null: deleted. */
  entityName: string | null
  projectId: ProjectId | null
  versionId: AgentVersionId | TeamVersionId | WorkflowVersionId
  /** null for a version that was not published. */
  versionNumber: number | null
  source: RunSource | WorkflowRunSource | 'playground'
  status: RunStatus | WorkflowRunStatus
  /** The reason for which a run in flight waits; null for all others. */
  statusReason: string | null
  success: boolean | null
  errorCode: string | null
  /** The first line. */
  error: string | null
  createdAt: number
  startedAt: number | null
  completedAt: number | null
  /** Tokens and cost are null if a workflow's run has too many nodes to sum in a list. */
  inputTokens: number | null
  outputTokens: number | null
  /** Millionths of a US dollar; null also if no call had a price. */
  costMicros: number | null
  startedBy: { kind: 'api_key' | 'user' | 'run'; id: string; name: string | null } | null
  sessionId: string | null
  /** Unique, unlike the caller's session id. */
  sessionRowId: SessionRowId | null
  userId: string | null
  tag: string | null
  /** The workflow run whose node started it. */
  workflowRunId: WorkflowRunId | null
}

/** Filter of a list of runs; null: all. */
export interface RunFilter {
  kinds: readonly ObservedKind[] | null
  /** Runs that nodes of workflows started are listed only with this filter. */
  entityId: AnyRunnableId | null
  statuses: readonly string[] | null
  sources: readonly string[] | null
  /** The range of start times: `from` inclusive, `to` exclusive. */
  from: number | null
  to: number | null
  apiKeyId: ApiKeyId | null
  tag: string | null
  userId: string | null
  sessionId: string | null
  isTest: boolean | null
  projectId: ProjectId | 'none' | null
  /** Failures whose {@link FailureCause} has this text; without `statuses`, of every failed status. */
  cause: string | null
}

/** Failures of one agent, team or workflow with the same cause. */
export interface FailureCause {
  kind: ObservedKind
  entityId: AnyRunnableId
  /** null: deleted. */
  entityName: string | null
  /** Error code of the newest one; null for workflows. */
  code: string | null
  /** The first line of the error without numbers and ids, or the code if there is no message. */
  cause: string
  count: number
  /** The newest failed run. */
  lastRunId: AnyRunId
  lastAt: number
}

/** The place of a run in a list, newest first. */
export interface RunPlace {
  createdAt: number
  runId: AnyRunId
}

/** One page; it continues at `next`, or is the last one if that is null. */
export interface ObservedPage {
  rows: RunOverview[]
  next: RunPlace | null
}

/** Runs over time. */
export interface RunHistogram {
  /** Counts of buckets that have runs, by start of the bucket, oldest first. */
  buckets: readonly { at: number; completed: number; failed: number; other: number; inFlight: number }[]
  /** The oldest counted run if there were too many; null if all were counted. */
  countedFrom: number | null
}
