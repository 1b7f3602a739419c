/** Why a turn was stopped from outside. `lost`: another worker has the row. */
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

/** A turn is over: no new step starts, the ones under way are committed, and another turn goes on. */
export class SliceEnded extends Error {
  override readonly name = 'SliceEnded'
}

/** Whether an error stops the whole turn, so that nothing may turn it into the failure of a step. */
export function isInterruption(error: unknown): boolean {
  return error instanceof RunAborted || error instanceof SliceEnded
}
