import type { RunKind, RunSource, RunStatus } from '@troupe/agents/ports'
import type { AnyId, ProjectId, WorkflowRunId } from '@troupe/contract'
import type { WorkflowRunSource, WorkflowRunStatus } from '@troupe/workflows/ports'

// Every timestamp in this file is in milliseconds since the epoch.

/** The kinds of runs in one list. */
export type ObservedKind = RunKind | 'workflow'

/** A run of an agent, a team or a workflow, as lists show it. */
export interface RunOverview {
  runId: AnyId
  kind: ObservedKind
  /** Whether it was a trial in the builder. */
  isTest: boolean
  entityId: AnyId
  /** null: it is deleted. */
  entityName: string | null
  projectId: ProjectId | null
  versionId: string
  /** null for a version that is no published one. */
  versionNumber: number | null
  source: RunSource | WorkflowRunSource | 'playground'
  status: RunStatus | WorkflowRunStatus
  /** Why a run in flight waits; null for all others. */
  statusReason: string | null
  success: boolean | null
  errorCode: string | null
  /** The first line. */
  error: string | null
  createdAt: number
  startedAt: number | null
  completedAt: number | null
  /** Tokens and cost are null where a workflow's run has too many nodes to be summed in a list. */
  inputTokens: number | null
  outputTokens: number | null
  /** Millionths of a US dollar; null also when no call had a price. */
  costMicros: number | null
  startedBy: { kind: 'api_key' | 'user' | 'run'; id: string; name: string | null } | null
  sessionId: string | null
  /** Unique, unlike the id of the caller. */
  sessionRowId: string | null
  userId: string | null
  tag: string | null
  /** The workflow run whose node started it. */
  workflowRunId: WorkflowRunId | null
}

/** Which runs a list shows; null: all. */
export interface RunFilter {
  kinds: readonly ObservedKind[] | null
  /** Runs that nodes of workflows started are listed with their entity only. */
  entityId: string | null
  statuses: readonly string[] | null
  sources: readonly string[] | null
  /** Of the start: `from` inclusive, `to` exclusive. */
  from: number | null
  to: number | null
  apiKeyId: string | null
  tag: string | null
  userId: string | null
  sessionId: string | null
  isTest: boolean | null
  projectId: string | null
  /** Failures whose {@link FailureCause} has this text; without `statuses` of every failed status. */
  cause: string | null
}

/** Failures of one agent, team or workflow with the same cause. */
export interface FailureCause {
  kind: ObservedKind
  entityId: AnyId
  /** null: it is deleted. */
  entityName: string | null
  /** Of the newest of them; null for workflows. */
  code: string | null
  /** The first line of the error without numbers and ids, or the code where there is no message. */
  cause: string
  count: number
  /** The newest of them. */
  lastRunId: AnyId
  lastAt: number
}

/** The place of a run in a list, newest first. */
export interface RunPlace {
  createdAt: number
  runId: string
}

/** One page; it continues at `next`, or is the last one when that is null. */
export interface ObservedPage {
  rows: RunOverview[]
  next: RunPlace | null
}

/** Runs over time. */
export interface RunHistogram {
  /** Counts of buckets that have runs, by their beginning, oldest first. */
  buckets: readonly { at: number; completed: number; failed: number; other: number; inFlight: number }[]
  /** The oldest run that was counted where there were too many; null: all were. */
  countedFrom: number | null
}
