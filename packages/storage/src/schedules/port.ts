import type { OrganizationId, WorkflowId, WorkflowRunId } from '@troupe/contract'
import type { Delivery } from '@troupe/durable-work'

// Every timestamp in this file is in milliseconds since the epoch.

/** A Recurrence node of a published workflow. */
export interface ScheduleKey {
  organizationId: OrganizationId
  workflowId: WorkflowId
  nodeId: string
}

/** The policy for a fire while a run of the same node is in flight. */
export type Overlap = 'allow' | 'skip' | 'queue_one' | 'cancel_previous'
/** The policy for planned times that passed while no scheduler was running. */
export type CatchUp = 'latest' | 'none' | 'all'

/** A schedule about to be written. */
export interface NewSchedule {
  nodeId: string
  /** The config of the node. */
  config: Record<string, unknown>
  overlap: Overlap
  catchUp: CatchUp
  /** null: no further fire. */
  nextFireAt: number | null
}

export interface ScheduleRecord extends ScheduleKey, NewSchedule {
  /** With `queue_one`: the fire that waits for the end of the previous run; null if none waits. */
  waitingSince: number | null
  /** Planned times before this moment never fire. */
  publishedAt: number
}

/** A schedule whose row this transaction has locked. */
export interface HeldSchedule extends ScheduleRecord {
  /** Runs in flight that this node started; empty with `allow`, which does not read them. */
  inFlight: readonly WorkflowRunId[]
}

/**
 * The outcome of a planned time. `late` also started a run, but more than a minute late or after another run.
 */
export type FireOutcome = 'fired' | 'late' | 'missed' | 'skipped'

/**
 * The decision about a planned time. One that is already in the ledger is left unchanged and starts nothing.
 */
export interface PlannedFire {
  scheduledFor: number
  outcome: FireOutcome
  /** The reason for a missed or late start; null if none is recorded. */
  reason: string | null
  /** The run to start; null if none. */
  runId: WorkflowRunId | null
}

/** The decision about a locked schedule. */
export interface FirePlan {
  fires: readonly PlannedFire[]
  /** Runs in flight to cancel first. */
  cancels: readonly WorkflowRunId[]
  nextFireAt: number | null
  waitingSince: number | null
}

/** A row of the ledger. */
export interface ScheduleFireRecord {
  nodeId: string
  scheduledFor: number
  outcome: FireOutcome
  /** The started run, including one that a budget or the ceiling rejected immediately; null if none was started. */
  executionId: WorkflowRunId | null
  reason: string | null
  decidedAt: number
}

/** Selects the schedules to lock. */
export interface FireBatch {
  /** `due`: the next fire is due. `waiting`: a fire waits, and no run of the node is in flight any more. */
  which: 'due' | 'waiting'
  now: number
  /** The maximum number of schedules. */
  limit: number
  /** The maximum number of runs to start; the rest is left for the next batch. */
  maxStarts: number
  /** Only this schedule. */
  only?: Pick<ScheduleKey, 'workflowId' | 'nodeId'>
  /** Schedules to skip. */
  except: readonly Pick<ScheduleKey, 'workflowId' | 'nodeId'>[]
}

/** The result of a batch. */
export interface FiredBatch {
  /** Number of schedules processed; 0 if none is left for now. */
  schedules: number
  /** Runs to dispatch to the engine. */
  deliveries: Delivery[]
}

/** A schedule whose recomputed next fire differs from the stored one. */
export interface RenewedSchedule extends ScheduleKey {
  from: number | null
  to: number | null
}

/** Fires schedules. Any number of processes may do so concurrently. */
export interface ScheduleStore {
  /** Whether a batch of each kind may find something; cheap enough to call every second. */
  pending(now: number): Promise<{ due: boolean; waiting: boolean }>
  /**
   * Locks some schedules and carries out the decisions of `plan` in one transaction: ledger rows, runs, next
   * fires. Schedules that another process has locked are skipped. When `plan` or the database throws, nothing
   * is changed.
   */
  fire(batch: FireBatch, plan: (schedule: HeldSchedule) => FirePlan): Promise<FiredBatch>
  /**
   * Recomputes the next fire of every schedule that is not due, including those without a further fire, and stores it
   * where it differs. Returns the changed schedules.
   *
   * A publish time in the future, caused by a wrong clock, is reset to `now`.
   */
  renew(now: number, next: (schedule: ScheduleRecord) => number | null): Promise<RenewedSchedule[]>
  /** Deletes ledger rows decided before a given time. */
  sweepExpired(before: number): Promise<void>
}

export interface ScheduleReader {
  /** The schedules of a published workflow, by node. */
  ofWorkflow(organizationId: OrganizationId, workflowId: WorkflowId): Promise<ScheduleRecord[]>
  /**
   * The ledger of a workflow, latest planned time first. Its rows are kept for 30 days after the deletion of their
   * schedule.
   */
  fires(organizationId: OrganizationId, workflowId: WorkflowId, limit: number): Promise<ScheduleFireRecord[]>
}

/** Schedules of published workflows, in the transaction that publishes or unpublishes them. */
export interface ScheduleWriter {
  /**
   * Replaces the schedules of a workflow. With a new version they restart at `publishedAt` (milliseconds since the
   * epoch), and an earlier fire that no scheduler has processed becomes `missed`. With the same version, existing
   * schedules are unchanged.
   */
  replace(
    workflow: Pick<ScheduleKey, 'organizationId' | 'workflowId'>,
    schedules: readonly NewSchedule[],
    publish: { publishedAt: number; isNewVersion: boolean },
  ): Promise<void>
  /**
   * Removes all schedules. A fire due by `now` that no scheduler has processed becomes `missed`; the ledger
   * is kept.
   */
  remove(workflow: Pick<ScheduleKey, 'organizationId' | 'workflowId'>, now: number): Promise<void>
}
