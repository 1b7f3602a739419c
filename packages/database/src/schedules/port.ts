import type { OrganizationId, WorkflowId, WorkflowRunId } from '@troupe/contract'
import type { Delivery } from '@troupe/turns'

// Every moment in this file is in milliseconds since the epoch.

/** A Recurrence node of a published workflow. */
export interface ScheduleKey {
  organizationId: OrganizationId
  workflowId: WorkflowId
  nodeId: string
}

/** What becomes of a fire while a run of the same node is in flight. */
export type Overlap = 'allow' | 'skip' | 'queue_one' | 'cancel_previous'
/** What becomes of the times that passed while nothing fired schedules. */
export type CatchUp = 'latest' | 'none' | 'all'

/** A schedule about to be written. */
export interface NewSchedule {
  nodeId: string
  /** Of the node. */
  config: Record<string, unknown>
  overlap: Overlap
  catchUp: CatchUp
  /** null: it never fires again. */
  nextFireAt: number | null
}

export interface ScheduleRecord extends ScheduleKey, NewSchedule {
  /** With `queue_one`: the fire that waits for the run before to end; null when none does. */
  waitingSince: number | null
  /** Nothing from before it fires. */
  publishedAt: number
}

/** A schedule that this transaction holds. */
export interface HeldSchedule extends ScheduleRecord {
  /** The runs in flight that this node has started; empty with `allow`, which does not ask. */
  inFlight: readonly WorkflowRunId[]
}

/** What became of a planned time. `late` started as well, but more than a minute after it or behind another run. */
export type FireOutcome = 'fired' | 'late' | 'missed' | 'skipped'

/** What shall become of a planned time. A time that is in the ledger already is left as it is, and starts nothing. */
export interface PlannedFire {
  scheduledFor: number
  outcome: FireOutcome
  /** Why it starts none, or comes late; null when there is nothing to say. */
  reason: string | null
  /** The run to start; null: none. */
  runId: WorkflowRunId | null
}

/** What shall become of a held schedule. */
export interface FirePlan {
  fires: readonly PlannedFire[]
  /** Runs in flight that make room first. */
  cancels: readonly WorkflowRunId[]
  nextFireAt: number | null
  waitingSince: number | null
}

/** A row of the ledger. */
export interface ScheduleFireRecord {
  nodeId: string
  scheduledFor: number
  outcome: FireOutcome
  /** The run that it started, also one that a budget or the ceiling turned away at once; null when it started none. */
  executionId: WorkflowRunId | null
  reason: string | null
  decidedAt: number
}

/** Which schedules to hold. */
export interface FireBatch {
  /** `due`: their time has come. `waiting`: a fire waits, and no run of the node is in flight any more. */
  which: 'due' | 'waiting'
  now: number
  /** At most so many schedules. */
  limit: number
  /** Once so many runs start, the rest is left for the next batch. */
  maxStarts: number
  /** This one alone. */
  only?: Pick<ScheduleKey, 'workflowId' | 'nodeId'>
  /** These not. */
  except: readonly Pick<ScheduleKey, 'workflowId' | 'nodeId'>[]
}

/** What a batch did. */
export interface FiredBatch {
  /** Schedules that were dealt with; 0: nothing is left for now. */
  schedules: number
  /** Runs that the engine must get. */
  deliveries: Delivery[]
}

/** A schedule whose next fire was another one than was stored. */
export interface RenewedSchedule extends ScheduleKey {
  from: number | null
  to: number | null
}

/** Firing schedules. Any number of processes may do it at the same time. */
export interface ScheduleStore {
  /** Whether a batch of each kind may find something. One cheap look, for every second. */
  pending(now: number): Promise<{ due: boolean; waiting: boolean }>
  /**
   * Holds some schedules and carries out what `plan` says of each, in one transaction: ledger rows, runs, next fires.
   * Schedules that another process holds are passed over. When `plan` or the database throws, nothing has happened.
   */
  fire(batch: FireBatch, plan: (schedule: HeldSchedule) => FirePlan): Promise<FiredBatch>
  /**
   * Looks at every schedule that is not due, and stores the next fire that `next` finds where it is another one. Also
   * for those that never fire again. Returns the changed ones.
   *
   * A publish that seems to lie in the future, because a clock was wrong, is taken back to `now`.
   */
  renew(now: number, next: (schedule: ScheduleRecord) => number | null): Promise<RenewedSchedule[]>
  /** Forgets what was decided before a moment. */
  sweepExpired(before: number): Promise<void>
}

export interface ScheduleReader {
  /** The schedules of a published workflow, by node. */
  ofWorkflow(organizationId: OrganizationId, workflowId: WorkflowId): Promise<ScheduleRecord[]>
  /** The ledger of a workflow, latest planned time first. Rows outlive their schedules, by 30 days. */
  fires(organizationId: OrganizationId, workflowId: WorkflowId, limit: number): Promise<ScheduleFireRecord[]>
}

/** Schedules of published workflows, in the transaction that publishes or unpublishes them. */
export interface ScheduleWriter {
  /**
   * Makes these the schedules of a workflow. Of a new version they begin anew at `publishedAt` (milliseconds since the
   * epoch): a fire from before it that no scheduler has come to is `missed`. Else those that are there stay as they are.
   */
  replace(
    workflow: Pick<ScheduleKey, 'organizationId' | 'workflowId'>,
    schedules: readonly NewSchedule[],
    publish: { publishedAt: number; isNewVersion: boolean },
  ): Promise<void>
  /** Removes all of them. A fire that no scheduler has come to by `now` is `missed`; the ledger stays. */
  remove(workflow: Pick<ScheduleKey, 'organizationId' | 'workflowId'>, now: number): Promise<void>
}
