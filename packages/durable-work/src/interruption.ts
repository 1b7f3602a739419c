/** Why a turn was stopped from outside. `lost`: another worker holds the row. */
export type AbortReason = 'cancel' | 'deadline' | 'budget' | 'shutdown' | 'disconnect' | 'lost'

/** The reason of an aborted turn, carried unchanged through every nested call. */
export class RunAborted extends Error {
  override readonly name = 'RunAborted'
  readonly reason: AbortReason

  constructor(reason: AbortReason) {
    super(`run aborted: ${reason}`)
    this.reason = reason
  }
}

/** A turn is over: no new step starts, running steps are committed, and another turn continues. */
export class SliceEnded extends Error {
  override readonly name = 'SliceEnded'
}

/**
 * A step of the turn waits for something that may take days. Whatever runs beside it ends first; then the row rests
 * without a worker, and the step runs again in a later turn.
 */
export class TurnParked extends Error {
  override readonly name = 'TurnParked'
}

/** Whether an error stops the entire turn and must not be recorded as a step's failure. */
export function isInterruption(error: unknown): boolean {
  return error instanceof RunAborted || error instanceof SliceEnded || error instanceof TurnParked
}
