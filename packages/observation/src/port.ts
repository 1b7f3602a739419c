import type { RunKind, RunSource, RunStatus } from '@troupe/agents/ports'
import type { OrganizationId, RunId, WorkflowRunId } from '@troupe/contract'
import type { WorkflowRunSource, WorkflowRunStatus } from '@troupe/workflows/ports'

// Every timestamp in this file is in milliseconds since the epoch.

/** The kinds of runs in one list. */
export type ObservedKind = RunKind | 'workflow'

/** A run of an agent, a team or a workflow, as lists show it. */
export interface ObservedRun {
  runId: RunId | WorkflowRunId
  kind: ObservedKind
  /** Whether it was a trial in the builder. */
  isTest: boolean
  entityId: string
  /** null: it is deleted. */
  entityName: string | null
  projectId: string | null
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
  startedBy: { kind: 'api_key' | 'user'; id: string; name: string | null } | null
  sessionId: string | null
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
}

/** The place of a run in a list, newest first. */
export interface RunPlace {
  createdAt: number
  runId: string
}

/** One page; it continues at `next`, or is the last one when that is null. */
export interface ObservedPage {
  rows: ObservedRun[]
  next: RunPlace | null
}

/** Port: what people see of runs. Every method is one round trip and names the organization. */
export interface Observation {
  /**
   * Newest first. At most 10,000 runs are examined for a page, so that a rare filter costs no more than a common one:
   * such a page may be shorter than `limit`, or empty, and still have a `next`.
   */
  runs(
    organizationId: OrganizationId,
    filter: RunFilter,
    page: { after: RunPlace | null; limit: number },
  ): Promise<ObservedPage>
}
