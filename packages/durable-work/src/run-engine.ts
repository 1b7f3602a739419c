import type { AnyRunId } from '@troupe/contract'

/** The kind of row of a delivery: `jobs` are asynchronous runs of agents and teams, `workflows` workflow runs. */
export type Lane = 'jobs' | 'workflows'

/**
 * All that an engine carries. The run's state is in its rows; the slice fences off deliveries of an earlier
 * turn.
 */
export interface Delivery {
  lane: Lane
  runId: AnyRunId
  /** From 0; incremented with every turn of the run. */
  slice: number
}

/**
 * Advances a run by one slice. Deliveries are at least once and may be late: a stale one must be ignored. If the
 * promise rejects, the engine delivers again later.
 */
export type Advance = (delivery: Delivery) => Promise<void>

/** Whether deliveries can be sent and are being taken. `reason` is a sentence for the operator. */
export type EngineHealth = { healthy: true } | { healthy: false; reason: string }

/** The engine did not accept a delivery. Nothing was started, and the caller's row is still due. */
export class EngineUnreachable extends Error {
  override readonly name = 'EngineUnreachable'
}

/**
 * Port: brings deliveries to a worker, at least once. Claims deduplicate by compare-and-set, and a sweeper
 * sends lost deliveries again.
 */
export interface RunEngine extends AsyncDisposable {
  /**
   * Starts taking deliveries in this process; called once, by processes with the role `worker`. An
   * unreachable external engine does not make it fail: `health` reports that.
   */
  start(advance: Advance): Promise<void>
  /**
   * Sends a delivery for immediate pickup, or for pickup no earlier than `dueAt` (milliseconds since the
   * epoch). Resolves when the engine has accepted it; a duplicate (same run and slice) is ignored, and the
   * first one's time is kept. Before `start`, an in-process engine queues it. While the process drains, only
   * an external engine accepts it.
   *
   * @throws EngineUnreachable within a few seconds
   */
  dispatch(delivery: Delivery, options?: { dueAt?: number }): Promise<void>
  /**
   * Withdraws a delivery that no worker has taken; it may be sent again. Best effort: never throws, and a
   * taken delivery continues.
   */
  drop(delivery: Delivery): Promise<void>
  /**
   * Reserves a slot for a run that this process has just stored and starts without a delivery; the returned function
   * releases it, once. null if no slot is free or the process accepts no work. Absent from external engines.
   */
  place?(): (() => void) | null
  health(): Promise<EngineHealth>
  /**
   * Takes no further delivery in this process and resolves when the running ones have ended. Queued
   * deliveries are dropped by an in-process engine (their rows are still due), and left to other processes by
   * an external one.
   */
  drain(): Promise<void>
}
