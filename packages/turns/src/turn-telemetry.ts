/** Port: where the protocol reports failures of work that no caller waits for. Implementations must not throw. */
export interface TurnTelemetry {
  /** Work behind a run (leases, dispatch, sweeps, log batches) failed; it is retried or given up as the task says. */
  backgroundFailed(task: string, error: unknown): void
}
