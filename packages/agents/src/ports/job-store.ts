import type {
  AgentId,
  AgentVersionId,
  ApiKeyId,
  OrganizationId,
  ProjectId,
  RunId,
  TeamId,
  TeamVersionId,
} from '@troupe/contract'
import type { TurnFence, TurnStore } from '@troupe/turns'
import type { MemberRun, RunKind, StoredEvent, UsageRecord } from './run-store.ts'

/** A job that this worker has for one slice: everything that its row and its journal know. */
export interface ClaimedJob {
  runId: RunId
  fence: TurnFence
  kind: RunKind
  entityId: AgentId | TeamId
  entityVersionId: AgentVersionId | TeamVersionId
  pins: Readonly<Record<AgentId, AgentVersionId>> | null
  organizationId: OrganizationId
  projectId: ProjectId | null
  apiKeyId: ApiKeyId | null
  /** The public `session_id`. */
  sessionId: string
  sessionSeq: number
  userId: string
  input: string
  includeMessages: boolean
  tag: string | null
  /** Milliseconds since the epoch. */
  createdAt: number
  startedAt: number
  /** When the working time is over, in milliseconds since the epoch. */
  deadlineAt: number
  limitSeconds: number
  /** What finished steps gave, by their keys. */
  steps: ReadonlyMap<string, unknown>
  /** Sums of the ledger rows that were committed with the steps. */
  usage: { inputTokens: number; outputTokens: number; failoverUsed: boolean }
  /** The number of the newest event in the log; 0 without one. */
  lastSeq: number
}

/** What one finished step leaves behind; written together or not at all. */
export interface CommittedStep {
  runId: RunId
  fence: TurnFence
  key: string
  /** JSON. */
  output: unknown
  usage: readonly UsageRecord[]
  members: readonly MemberRun[]
  events: readonly StoredEvent[]
}

/**
 * Port: the rows of jobs as turns advance them, and of the runs of workflows' nodes, which no engine delivers. Leases and
 * ends are those of every run, also of synchronous and streaming ones, which live in one process and never change hands.
 */
export interface JobStore extends TurnStore<RunId, ClaimedJob> {
  /**
   * The run of a workflow's node, whatever its slice and its lease: the workflow's own fence says that nobody else works
   * on it. Takes the next slice, so that an earlier worker can write nothing more. null once it has ended.
   */
  claimChild(runId: RunId, workerId: string, leaseSeconds: number): Promise<ClaimedJob | null>
  /** Writes a step and sets the count of losses to 0. False, with nothing written, when the fence no longer holds. */
  commitStep(step: CommittedStep): Promise<boolean>
  /** Gives the job back: the next slice, without lease, due for dispatch at once. The new slice, or null when fenced off. */
  yield(runId: RunId, fence: TurnFence): Promise<number | null>
}
