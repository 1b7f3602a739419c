import type { ActiveTurns } from './active-turns.ts'
import type { Delivery, Lane } from './run-engine.ts'
import { type DispatchParts, sendDelivery } from './send-delivery.ts'
import { LEASE_SECONDS, type TurnStore } from './turn-store.ts'

/**
 * How a turn ended: by the end of its row, by waiting for something that makes the row due by itself (`suspended`), by
 * giving the row back for its next slice, due at `dueAt` (milliseconds since the epoch), or because another worker has it.
 */
export type TurnEnd =
  | { kind: 'ended' }
  | { kind: 'suspended' }
  | { kind: 'yielded'; slice: number; dueAt: number }
  | { kind: 'lost' }

/** A turn of a row that this process has claimed. */
export interface Turn<Id extends string, End extends TurnEnd = TurnEnd> {
  readonly runId: Id
  /** Aborted with a `RunAborted` when the turn must stop. */
  readonly controller: AbortController
  /** Works until the end of the turn is committed. Rejects when the database fails; the lease then expires. */
  work(): Promise<End>
  /** Asks the turn to give its row back at its next step. */
  endTurn(): void
}

/** What is particular to the things of one lane: where their rows are, and what a turn of one does. */
export interface TurnLane<Id extends string, Claimed, End extends TurnEnd = TurnEnd> {
  readonly lane: Lane
  readonly store: Pick<TurnStore<Id, Claimed>, 'claim' | 'dispatched'>
  /** Prepares a turn of what was claimed. Rejects when the database fails. */
  begin(claimed: Claimed): Promise<Turn<Id, End>>
}

/** What a worker uses of its process. */
export interface WorkerParts<Id extends string> extends Omit<DispatchParts, 'store'> {
  active: Pick<ActiveTurns<Id>, 'draining' | 'add' | 'background'>
  /** Names this process in the rows of its turns. */
  workerId: string
}

/** The worker loop of a lane: claims what is delivered, works on it for one turn, and hands in the next slice. */
export class TurnWorker<Id extends string, Claimed, End extends TurnEnd = TurnEnd> {
  readonly #lane: TurnLane<Id, Claimed, End>
  readonly #parts: WorkerParts<Id>

  constructor(lane: TurnLane<Id, Claimed, End>, parts: WorkerParts<Id>) {
    this.#lane = lane
    this.#parts = parts
  }

  /**
   * Takes a delivery. A stale one does nothing.
   *
   * @throws Error when this process drains or the database fails; the engine delivers again
   */
  async advance({ runId, slice }: Delivery): Promise<void> {
    const { active, workerId } = this.#parts
    if (active.draining) throw new Error('this process is stopping; another one takes the delivery')
    // Passed on, not awaited here: what earlier turns have stored may be large, and this frame would keep it for the turn.
    return this.#lane.store
      .claim({ runId, slice }, workerId, LEASE_SECONDS)
      .then((claimed) => (claimed ? this.work(claimed) : null))
      .then(() => {})
  }

  /** Works on what this process has claimed for one turn, and hands in the next slice if there is one. */
  work(claimed: Claimed): Promise<End> {
    return this.#lane.begin(claimed).then((turn) => this.#workAndSend(turn))
  }

  async #workAndSend(turn: Turn<Id, End>): Promise<End> {
    const { lane, store } = this.#lane
    const end = await this.perform(turn)
    if (end.kind === 'yielded') {
      const next = { lane, runId: turn.runId, slice: end.slice }
      const sent = sendDelivery({ ...this.#parts, store }, next, end.dueAt)
      this.#parts.active.background(sent)
      await sent
    }
    return end
  }

  /** Works for one turn, registered with the lane's turns under way. Hands nothing in. */
  async perform(turn: Turn<Id, End>): Promise<End> {
    const { active, telemetry } = this.#parts
    const working = turn.work()
    const settled = working.then(
      () => {},
      (error: unknown) => telemetry.backgroundFailed(`turn of ${this.#lane.lane}`, error),
    )
    active.add(turn.runId, turn.controller, settled, () => turn.endTurn())
    // A drain that began between the claim and this line has not seen the turn.
    if (active.draining) turn.endTurn()
    return working
  }
}
