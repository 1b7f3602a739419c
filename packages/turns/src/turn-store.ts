import type { Delivery } from './run-engine.ts'

/**
 * The protocol of everything that outlives a process: asynchronous runs of agents and teams, runs of workflows. Each is a
 * row that is worked on in turns. What must hold, for every table and every worker:
 *
 * 1. **The row decides.** Every change of status is a compare-and-set in one statement; a terminal status never changes.
 * 2. **Rest.** A row in flight is leased, due (`dispatch_due_at`), or waits for a person. Accepting a row and giving it
 *    back make it due in the same statement; the claim clears it. Nothing else in flight is stable: the sweep repairs it.
 * 3. **Claim.** A claim names the slice that its delivery carries. Of several claims of one slice at most one succeeds; it
 *    writes the worker and its lease. A stale delivery claims nothing.
 * 4. **Fence.** A worker's fence is its id and the slice. Every write of a turn names it, locks the row, and changes
 *    nothing once the row has ended or another turn has begun.
 * 5. **Loss.** A lease that has expired is a lost worker: whoever takes the row moves it to its next slice and counts one
 *    loss, so that the former holder's fence is void, also when that is the same process. A commit that gets further sets
 *    the count to 0. The loss number {@link MAX_LOSSES} belongs to the sweep alone, which ends the row.
 * 6. **Give back.** A turn that makes room moves the row to its next slice, without lease and due.
 * 7. **Delivery.** Engines carry `{lane, runId, slice}` at least once and may be late or lose it: what is due and not
 *    claimed is handed in again.
 * 8. **Sweep.** Any number of processes may sweep at the same time; each due delivery goes to one of them.
 * 9. **Stop.** A worker stops when it is told of a cancel, and at the latest when the poll or its next commit says so.
 */

/** How often a worker may be lost without getting further before the step is to blame. */
export const MAX_LOSSES = 3
/** Seconds until a turn counts as lost when its process stops renewing the lease. */
export const LEASE_SECONDS = 30
/** Seconds until a delivery that an engine took and nobody claimed is handed in again. */
export const REDELIVER_SECONDS = 30
/** Seconds until a row that no engine took is given up. */
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
  /** Until a row that no engine took is given up. */
  dispatchSeconds: number
  /** Until a row that an engine took and no worker started is given up. */
  queueSeconds: number
  /** Until a delivery that was taken and never claimed is handed in again. */
  redeliverSeconds: number
}

/** A turn that its worker must stop: the row has ended (`cancel`), or another worker has it (`lost`). */
export interface StoppedTurn<Id extends string> {
  runId: Id
  reason: 'cancel' | 'lost'
}

/**
 * Port: the rows of one lane. `Claimed` is what a claim brings back: everything that a turn begins with. Methods throw
 * only when the database fails.
 */
export interface TurnStore<Id extends string, Claimed> {
  /**
   * In flight without a living lease, of exactly this slice → `running` with this worker's lease, `leaseSeconds` from now.
   * null for a stale delivery, a row that has ended, and one that another worker has. Over an expired lease it takes the
   * next slice; the last loss is left to {@link TurnStore.sweep}.
   */
  claim(slice: ClaimedSlice, workerId: string, leaseSeconds: number): Promise<Claimed | null>
  /** Renews the leases of these turns of a process. A row that it has given back is not among them. */
  renewLeases(workerId: string, runIds: readonly Id[], leaseSeconds: number): Promise<void>
  /** Which of these turns this worker must stop, and why: the poll behind the cancel signal. */
  ended(workerId: string, runIds: readonly Id[]): Promise<StoppedTurn<Id>[]>
  /**
   * An engine has taken the delivery: it is due again only when nobody claims it within `redeliverSeconds`, counted from
   * its due time if that lies ahead.
   */
  dispatched(slice: ClaimedSlice, redeliverSeconds: number): Promise<void>
  /**
   * Ends what could not be dispatched, was not started in time, or lost its worker for the last time; takes expired
   * leases away. Returns the deliveries that are due, each to one caller, who has 10 seconds to hand them in. Those who
   * wait for ended rows are notified.
   */
  sweep(patience: TurnPatience): Promise<Delivery[]>
  /** At boot of a process that is alone on its database: no lease and no queue of an earlier process is alive. */
  recover(): Promise<void>
}
