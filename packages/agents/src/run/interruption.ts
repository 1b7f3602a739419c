import type { AbortReason } from '../ports/run-store.ts'

/** The reason of an aborted run, carried unchanged through every nested call. */
export class RunAborted extends Error {
  override readonly name = 'RunAborted'
  readonly reason: AbortReason

  constructor(reason: AbortReason) {
    super(`run aborted: ${reason}`)
    this.reason = reason
  }
}

/** A job's turn is over: no new step starts, the ones under way are committed, and another turn goes on. */
export class SliceEnded extends Error {
  override readonly name = 'SliceEnded'
}

/** A run that failed for a reason that its caller may read. */
export class RunFailure extends Error {
  override readonly name = 'RunFailure'
  /** For the log only. */
  readonly internal: string

  constructor(message: string, internal: string = message) {
    super(message)
    this.internal = internal
  }
}

/** Whether an error stops the whole run, so that no mode may turn it into the failure of a member or a tool. */
export function isInterruption(error: unknown): boolean {
  return error instanceof RunAborted || error instanceof SliceEnded
}
