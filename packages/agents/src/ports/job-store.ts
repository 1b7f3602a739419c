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
import type { StoredStep, TurnFence, TurnStore } from '@troupe/durable-work'
import type { NewApproval } from './approvals.ts'
import type { MemberRun, RunnableKind, StoredEvent, UsageRecord } from './run-store.ts'
import type { StoredPrompts } from './sent-prompt.ts'

/** A job claimed by this worker for one slice, with the state from its row and its journal. */
export interface ClaimedJob {
  runId: RunId
  fence: TurnFence
  kind: RunnableKind
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
  /** Whether the request named the user. */
  namesUser: boolean
  input: string
  includeMessages: boolean
  tag: string | null
  /** Milliseconds since the epoch. */
  createdAt: number
  startedAt: number
  /** The end of the working time, in milliseconds since the epoch. */
  deadlineAt: number
  limitSeconds: number
  /** The sealed `tool_context`; null when the request gave none, and for runs of workflow nodes. */
  toolContextSealed: string | null
  /** The finished steps, by key. */
  steps: ReadonlyMap<string, StoredStep>
  /** Sums of the ledger rows that were committed with the steps. */
  usage: { inputTokens: number; outputTokens: number; failoverUsed: boolean; costMicros: number }
  /** The number of the newest event in the log; 0 for an empty one. */
  lastSeq: number
}

/** The writes of one finished step; all or nothing. */
export interface CommittedStep {
  runId: RunId
  fence: TurnFence
  key: string
  step: StoredStep & { name: string }
  usage: readonly UsageRecord[]
  /** Prompts that are not written yet. Absent or null: none. */
  prompts?: StoredPrompts | null
  members: readonly MemberRun[]
  events: readonly StoredEvent[]
  /** The approval that the step has opened; null or absent if none. */
  approval?: NewApproval | null
}

/**
 * Port: the rows of jobs as turns advance them, and of workflow nodes' runs, which no engine delivers. Leases
 * and ends are shared with synchronous and streaming runs, which are bound to one process.
 */
export interface JobStore extends TurnStore<RunId, ClaimedJob> {
  /**
   * Claims the run of a workflow's node regardless of its slice and lease: the workflow's own fence excludes
   * any other worker. Takes the next slice, which fences off earlier workers. null once the run has ended.
   */
  claimChild(runId: RunId, workerId: string, leaseSeconds: number): Promise<ClaimedJob | null>
  /**
   * Writes a step and resets the count of losses. False, with nothing written, when the fence no longer
   * holds.
   */
  commitStep(step: CommittedStep): Promise<boolean>
  /**
   * Releases the job: the next slice, without lease, due immediately. Returns the new slice, or null when fenced off.
   */
  yield(runId: RunId, fence: TurnFence): Promise<number | null>
  /**
   * Releases the job until its approvals are decided: the next slice, without lease, its working time stopped, due when
   * the first of them expires; immediately when one was decided during this turn. The run of a workflow's node is never
   * due: `ApprovalStore.decided` reports that it may continue. null when fenced off.
   */
  park(runId: RunId, fence: TurnFence): Promise<{ slice: number; dueAt: number } | null>
}
