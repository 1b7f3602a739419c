import type { AnyRunId } from '@troupe/contract'
import type { ActiveTurns } from './active-turns.ts'
import type { Delivery, Lane } from './run-engine.ts'
import { type DispatchParts, sendDelivery } from './send-delivery.ts'
import { LEASE_SECONDS, type TurnStore } from './turn-store.ts'

/**
 * The end of a turn: its row ended; it waits for an event that makes the row due (`suspended`); it released the row for
 * its next slice, due at `dueAt` (milliseconds since the epoch); or another worker holds the row.
 */
export type TurnEnd =
  | { kind: 'ended' }
  | { kind: 'suspended' }
  | { kind: 'yielded'; slice: number; dueAt: number }
  | { kind: 'lost' }

/** A turn of a row that this process has claimed. */
export interface Turn<Id extends AnyRunId, End extends TurnEnd = TurnEnd> {
  readonly runId: Id
  /** Aborted with a `RunAborted` when the turn must stop. */
  readonly controller: AbortController
  /** Works until the end of the turn is committed. Rejects when the database fails; the lease then expires. */
  work(): Promise<End>
  /** Requests that the turn release its row at its next step. */
  endTurn(): void
}

/** The parts specific to one lane: its rows, and the work of one turn. */
export interface TurnLane<Id extends AnyRunId, Claimed, End extends TurnEnd = TurnEnd> {
  readonly lane: Lane
  readonly store: Pick<TurnStore<Id, Claimed>, 'claim' | 'dispatched'>
  /** Prepares a turn of a claimed row. Rejects when the database fails. */
  begin(claimed: Claimed): Promise<Turn<Id, End>>
}

/** The process's services that a worker uses. */
export interface WorkerParts<Id extends AnyRunId> extends Omit<DispatchParts, 'store'> {
  active: Pick<ActiveTurns<Id>, 'draining' | 'add'>
  /** Names this process in the rows of its turns. */
  workerId: string
}

/** The worker loop of a lane: claims deliveries, works on each for one turn, and sends the next slice. */
export class TurnWorker<Id extends AnyRunId, Claimed, End extends TurnEnd = TurnEnd> {
  readonly #lane: TurnLane<Id, Claimed, End>
  readonly #parts: WorkerParts<Id>
  readonly #report = (error: unknown) =>
    this.#parts.telemetry.backgroundFailed(`turn of ${this.#lane.lane}`, error)

  constructor(lane: TurnLane<Id, Claimed, End>, parts: WorkerParts<Id>) {
    this.#lane = lane
    this.#parts = parts
  }

  /**
   * Takes a delivery; a stale one is ignored.
   *
   * @throws Error when this process drains or the database fails; the engine then delivers again
   */
  async advance({ runId, slice }: Delivery): Promise<void> {
    const { active, workerId } = this.#parts
    if (active.draining) throw new Error('this process is stopping; another one receives the delivery')
    // Returned, not awaited: the claimed state may be large, and an awaiting frame would retain it for the
    // turn's duration.
    return this.#lane.store
      .claim({ runId, slice }, workerId, LEASE_SECONDS)
      .then((claimed) => (claimed ? this.work(claimed) : null))
      .then(() => {})
  }

  /**
   * Works on a claimed row for one turn, and sends the next slice if there is one. Rejects when the database
   * fails, after reporting it; the lease then expires.
   */
  work(claimed: Claimed): Promise<End> {
    const beginning = this.#lane.begin(claimed)
    beginning.catch(this.#report)
    return beginning.then((turn) => this.#register(turn, this.#workAndSend(turn)))
  }

  /** Like {@link TurnWorker.work} for a turn that has begun, but sends no delivery. */
  perform(turn: Turn<Id, End>): Promise<End> {
    return this.#register(turn, turn.work())
  }

  async #workAndSend(turn: Turn<Id, End>): Promise<End> {
    const { lane, store } = this.#lane
    const end = await turn.work()
    if (end.kind === 'yielded') {
      const next = { lane, runId: turn.runId, slice: end.slice }
      await sendDelivery({ ...this.#parts, store }, next, end.dueAt)
    }
    return end
  }

  /** Keeps the turn active in the lane until `working` settles. */
  #register(turn: Turn<Id, End>, working: Promise<End>): Promise<End> {
    const settled = working.then(() => {}, this.#report)
    this.#parts.active.add(turn.runId, turn.controller, settled, () => turn.endTurn())
    return working
  }
}
