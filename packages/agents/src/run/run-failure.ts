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
