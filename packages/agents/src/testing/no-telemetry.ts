import type { RunTelemetry } from '../ports/run-telemetry.ts'

/** Observes nothing. */
export const NO_TELEMETRY: RunTelemetry = {
  runStarted() {},
  runEnded() {},
  turnEnded() {},
  modelAttempt() {},
  backgroundFailed() {},
}
