import type { ModelAttempt } from './chat-models.ts'
import type { ModelPurpose, RunSource, RunStatus } from './run-store.ts'

/** Port: counters and log lines about runs. Never receives content. Implementations must not throw. */
export interface RunTelemetry {
  runStarted(run: { runId: string; source: RunSource }): void
  runEnded(run: {
    runId: string
    organizationId: string
    agentId: string
    source: RunSource
    status: RunStatus
    errorCode: string | null
    /** For the log only. */
    internal: string | null
    durationMs: number
  }): void
  modelAttempt(attempt: ModelAttempt, purpose: ModelPurpose): void
  /** Work behind a run (log batches, summaries, leases) failed; it is retried or given up as the text says. */
  backgroundFailed(task: string, error: unknown): void
}

/** Observes nothing. */
export const NO_TELEMETRY: RunTelemetry = {
  runStarted() {},
  runEnded() {},
  modelAttempt() {},
  backgroundFailed() {},
}
