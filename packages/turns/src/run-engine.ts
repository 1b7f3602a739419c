/** What is delivered: `jobs` are asynchronous runs of agents and teams, `workflows` runs of workflows. */
export type Lane = 'jobs' | 'workflows'

/** All that an engine carries. The run is its rows; the slice fences off deliveries of an earlier turn. */
export interface Delivery {
  lane: Lane
  /** A UUID. */
  runId: string
  /** From 0 on; one more with every turn of the run. */
  slice: number
}

/**
 * Advances a run by one slice. Deliveries are at least once and may be late: a stale one must do nothing. A rejected
 * promise makes the engine deliver again later.
 */
export type Advance = (delivery: Delivery) => Promise<void>

/** Whether deliveries can be handed in and are taken. `reason` is a sentence for the operator. */
export type EngineHealth = { healthy: true } | { healthy: false; reason: string }

/** The engine did not take a delivery. Nothing was started; the caller's row says that it is still due. */
export class EngineUnreachable extends Error {
  override readonly name = 'EngineUnreachable'
}

/**
 * Port: brings deliveries to a worker. Exactly-once is not its business: rows are claimed by a compare-and-set, and a
 * sweeper hands in again whatever was lost.
 */
export interface RunEngine extends AsyncDisposable {
  /**
   * Begins to take deliveries in this process; called once, by processes with the role `worker`. An engine elsewhere
   * that cannot be reached does not stop it: `health` says so.
   */
  start(advance: Advance): Promise<void>
  /**
   * Hands a delivery in, to be taken at once or not before `dueAt` (milliseconds since the epoch). Resolves when the
   * engine has it; a delivery that it has already (same run and slice) is not taken twice, and keeps its time. Before
   * `start`, the engine in this process keeps it. Once the process drains, only an engine elsewhere still takes it.
   *
   * @throws EngineUnreachable within a few seconds
   */
  dispatch(delivery: Delivery, options?: { dueAt?: number }): Promise<void>
  /**
   * Withdraws a delivery that nobody has taken; it may be handed in again. Best effort: never throws, and a taken
   * delivery goes on.
   */
  drop(delivery: Delivery): Promise<void>
  /**
   * A place for a run that this process has just stored and begins without a delivery; the returned function gives it
   * back, once. null when all places are taken or the process takes no work. Absent from engines elsewhere.
   */
  place?(): (() => void) | null
  health(): Promise<EngineHealth>
  /**
   * Takes no further delivery in this process and resolves when the ones under way have ended. What only waited is lost
   * with an engine in this process (its rows are still due), and left to others by an engine elsewhere.
   */
  drain(): Promise<void>
}
