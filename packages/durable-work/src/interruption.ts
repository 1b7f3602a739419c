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

/** Signals the end of a turn: no new step starts, running steps are committed, and another turn continues. */
export class SliceEnded extends Error {
  override readonly name = 'SliceEnded'
}

/**
 * A step of the turn waits for something that may take days. Concurrent work ends first; then the row rests without a
 * worker, and the step runs again in a later turn.
 */
export class TurnParked extends Error {
  override readonly name = 'TurnParked'
}

/**
 * A committed step has a shape that this program cannot read: another version wrote it. The run fails, because
 * continuing from a misread step could repeat or invent its effects.
 */
export class StepUnreadable extends Error {
  override readonly name = 'StepUnreadable'
}

/** The error of a run with a {@link StepUnreadable}. */
export const BEGUN_ELSEWHERE =
  'The run was started by another version of the server, and this version cannot continue it. Start it again.'

/** Whether an error stops the entire turn and must not be recorded as a step's failure. */
export function isInterruption(error: unknown): boolean {
  return (
    error instanceof RunAborted ||
    error instanceof SliceEnded ||
    error instanceof TurnParked ||
    error instanceof StepUnreadable
  )
}
