/** Port: reports of failures of work that no caller waits for. Implementations must not throw. */
export interface TurnTelemetry {
  /**
   * Background work (leases, dispatch, sweeps, log batches) failed; each task decides whether it is retried or
   * abandoned.
   */
  backgroundFailed(task: string, error: unknown): void
}
