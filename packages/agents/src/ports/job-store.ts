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
import type { Delivery } from './run-engine.ts'
import type { JobFence, MemberRun, RunKind, StoredEvent, UsageRecord } from './run-store.ts'

/** A job that this worker has for one slice: everything that its row and its journal know. */
export interface ClaimedJob {
  runId: RunId
  fence: JobFence
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
  fence: JobFence
  key: string
  /** JSON. */
  output: unknown
  usage: readonly UsageRecord[]
  members: readonly MemberRun[]
  events: readonly StoredEvent[]
}

/** How long jobs may wait, in seconds. */
export interface JobPatience {
  /** Until a job that no engine took is given up. */
  dispatchSeconds: number
  /** Until a job that an engine took and no worker started is given up. */
  queueSeconds: number
  /** Until a delivery that was taken and never claimed is handed in again. */
  redeliverSeconds: number
}

/**
 * Port: the rows of jobs as the engine's deliveries advance them. Every status change is a compare-and-set; every write
 * of a worker names its fence and changes nothing once another worker has the job. Methods throw only when the database
 * fails.
 */
export interface JobStore {
  /**
   * `queued` or `running` without a living lease, of exactly this slice → `running` with this worker's lease. null for
   * a stale delivery, a job that has ended, and one that another worker has. A lease that has run out is a lost worker:
   * the job moves to its next slice, so that the former holder's writes are refused, also when that was this process; the
   * third loss is left to {@link JobStore.sweep}.
   */
  claim(
    delivery: { runId: string; slice: number },
    workerId: string,
    leaseSeconds: number,
  ): Promise<ClaimedJob | null>
  /**
   * The run of a workflow's node, whatever its slice and its lease: the workflow's own fence says that nobody else works
   * on it. Takes the next slice, so that an earlier worker can write nothing more. null once it has ended.
   */
  claimChild(runId: RunId, workerId: string, leaseSeconds: number): Promise<ClaimedJob | null>
  /** Writes a step and sets the count of losses to 0. False, with nothing written, when the fence no longer holds. */
  commitStep(step: CommittedStep): Promise<boolean>
  /** Gives the job back: the next slice, without lease, due for dispatch at once. The new slice, or null when fenced off. */
  yield(runId: RunId, fence: JobFence): Promise<number | null>
  /** An engine has taken the delivery: it is due again only when nobody claims it within `redeliverSeconds`. */
  dispatched(delivery: { runId: string; slice: number }, redeliverSeconds: number): Promise<void>
  /**
   * The watchdog. Ends as `failed` what could not be dispatched and what lost its worker for the third time on one step,
   * as `timeout` what was not started in time or is long past its limit; takes expired leases away (one more loss, next
   * slice). Returns the deliveries that are due, each to one caller. Readers of ended jobs are notified.
   */
  sweep(patience: JobPatience): Promise<Delivery[]>
  /** At boot of a process that is alone on its database: no lease and no queue of an earlier process is alive. */
  recover(): Promise<void>
}
