import type { AnyRunId } from '@troupe/contract'
import type { Delivery } from './run-engine.ts'

/**
 * The protocol of all work that outlives a process: asynchronous runs of agents and teams, and workflow runs.
 * Each is a row that is worked on in turns. These invariants hold for every table and every worker:
 *
 * 1. **The row decides.** Every status change is a compare-and-set in one statement; a terminal status never
 *    changes.
 * 2. **Rest.** A row in flight is leased, due (`dispatch_due_at`), or waiting for a review. A job that waits for an
 *    approval is due when the approval expires. Accepting a row
 *    and giving it back make it due in the same statement; the claim clears it. No other in-flight state is
 *    stable: the sweep repairs it.
 * 3. **Claim.** A claim names the slice of its delivery. Of several claims of one slice at most one succeeds;
 *    it writes the worker and its lease. A stale delivery claims nothing.
 * 4. **Fence.** A worker's fence is its id and the slice. Every write of a turn names it, locks the row, and
 *    changes nothing once the row has ended or another turn has begun.
 * 5. **Loss.** An expired lease is a lost worker. Reclaiming the row moves it to the next slice and counts
 *    one loss, which voids the previous holder's fence even in the same process. A commit that makes progress
 *    resets the count. Loss number {@link MAX_LOSSES} is reserved for the sweep, which ends the row.
 * 6. **Give back.** A turn that yields moves the row to its next slice, without lease and due.
 * 7. **Delivery.** Engines carry `{lane, runId, slice}` at least once and may delay or lose it: a delivery
 *    that is due and unclaimed is sent again.
 * 8. **Sweep.** Any number of processes may sweep concurrently; each due delivery goes to one of them.
 * 9. **Stop.** A worker stops on a cancel signal, at the latest when the poll or its next commit reports the
 *    cancel.
 */

/** How often workers may be lost without progress before the step is blamed. */
export const MAX_LOSSES = 3
/** Seconds until a turn counts as lost when its process stops renewing the lease. */
export const LEASE_SECONDS = 30
/** Seconds until a delivery that an engine accepted and no worker claimed is sent again. */
export const REDELIVER_SECONDS = 30
/** Seconds until a row that no engine accepted is abandoned. */
export const DISPATCH_SECONDS = 60

/** The turn that a write belongs to: it is refused once another turn has begun. */
export interface TurnFence {
  workerId: string
  slice: number
}

/** The part of a delivery that a claim needs. */
export type ClaimedSlice = Pick<Delivery, 'runId' | 'slice'>

/** How long rows may wait, in seconds. */
export interface TurnPatience {
  /** Until a row that no engine accepted is abandoned. */
  dispatchSeconds: number
  /** Until a row that an engine accepted and no worker started is abandoned. */
  queueSeconds: number
  /** Until a delivery that an engine accepted and no worker claimed is sent again. */
  redeliverSeconds: number
}

/** A turn that its worker must stop: the row has ended (`cancel`), or another worker holds it (`lost`). */
export interface StoppedTurn<Id extends AnyRunId> {
  runId: Id
  reason: 'cancel' | 'lost'
}

/**
 * Port: the rows of one lane. `Claimed` is what a claim returns: all state that a turn starts from. Methods
 * throw only when the database fails.
 */
export interface TurnStore<Id extends AnyRunId, Claimed> {
  /**
   * In flight without a live lease, at exactly this slice → `running` with this worker's lease,
   * `leaseSeconds` from now. null for a stale delivery, an ended row, and a row that another worker holds.
   * Claiming over an expired lease takes the next slice; the last loss is left to {@link TurnStore.sweep}.
   */
  claim(slice: ClaimedSlice, workerId: string, leaseSeconds: number): Promise<Claimed | null>
  /** Renews the leases of a process's turns. Rows that the process has released are skipped. */
  renewLeases(workerId: string, runIds: readonly Id[], leaseSeconds: number): Promise<void>
  /** The turns that this worker must stop, and why: the polling fallback of the cancel signal. */
  ended(workerId: string, runIds: readonly Id[]): Promise<StoppedTurn<Id>[]>
  /**
   * Records that an engine has accepted the delivery: it becomes due again only if no worker claims it within
   * `redeliverSeconds`, counted from its due time if that is in the future.
   */
  dispatched(slice: ClaimedSlice, redeliverSeconds: number): Promise<void>
  /**
   * Ends rows that could not be dispatched, were not started in time, or lost their worker for the last time;
   * removes expired leases. Returns the due deliveries, each to one caller, which has 10 seconds to send them.
   * Waiters of ended rows are notified.
   */
  sweep(patience: TurnPatience): Promise<Delivery[]>
  /**
   * At boot of the only process on its database: releases every lease and queue entry of earlier processes.
   */
  recover(): Promise<void>
}
