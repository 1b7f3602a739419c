import type { RunTelemetry } from '@troupe/agents/ports'
import type { Logger } from 'pino'
import type { Metrics } from './metrics.ts'
import { createRunSpans } from './run-spans.ts'

/**
 * Runs as log lines, Prometheus metrics and OpenTelemetry spans, all without content. A provider's own message is logged without secrets;
 * complete messages, which may repeat a prompt, at `debug` only.
 */
export function createRunTelemetry(log: Logger, metrics: Metrics): RunTelemetry {
  const spans = createRunSpans()
  return {
    runStarted: spans.runStarted,
    runEnded(run, end) {
      spans.runEnded(run, end)
      const seconds = (end.completedAt - run.acceptedAt) / 1000
      metrics.observeRun(run.kind, run.source, end.status, seconds)
      const { runId, organizationId, kind, entityId, source } = run
      const line = { runId, organizationId, kind, entityId, source, status: end.status, seconds }
      if (end.defect) log.error({ ...line, reason: end.internal }, 'run failed by a defect')
      else if (end.status === 'failed') log.warn({ ...line, errorCode: end.errorCode }, 'run failed')
      log.debug({ ...line, reason: end.internal }, 'run ended')
    },
    turnEnded: spans.turnEnded,
    modelAttempt(runId, attempt, purpose) {
      spans.modelAttempt(runId, attempt, purpose)
      metrics.observeModelAttempt(purpose, attempt)
      if (!attempt.ok) {
        const { llmConfigId, modelId, errorCode, internalMessage, providerMessage } = attempt
        const line = { runId, llmConfigId, modelId, errorCode }
        log.warn({ ...line, providerMessage }, 'model attempt failed')
        log.debug({ ...line, reason: internalMessage }, 'model attempt failed: message of the provider')
      }
    },
    backgroundFailed(task, err) {
      log.error({ task, err }, 'background work failed')
    },
  }
}
