import type { RunTelemetry } from '@troupe/runtime/ports'
import type { Logger } from 'pino'
import type { Metrics } from './metrics.ts'
import { createRunSpans } from './run-spans.ts'

/** Runs as log lines, Prometheus metrics and OpenTelemetry spans; none of them carries content. */
export function createRunTelemetry(log: Logger, metrics: Metrics): RunTelemetry {
  const spans = createRunSpans()
  return {
    runStarted: spans.runStarted,
    runEnded(run, end) {
      spans.runEnded(run, end)
      const seconds = (end.completedAt - run.acceptedAt) / 1000
      metrics.observeRun('agent', run.source, end.status, seconds)
      const { runId, organizationId, agentId, source } = run
      const line = { runId, organizationId, agentId, source, status: end.status, seconds }
      if (end.status === 'failed') {
        log.warn({ ...line, errorCode: end.errorCode, reason: end.internal }, 'run failed')
      } else log.debug(line, 'run ended')
    },
    modelAttempt(runId, attempt, purpose) {
      spans.modelAttempt(runId, attempt, purpose)
      metrics.observeModelAttempt(purpose, attempt)
      if (!attempt.ok) {
        const { llmConfigId, modelId, errorCode, internalMessage } = attempt
        log.warn({ runId, llmConfigId, modelId, errorCode, reason: internalMessage }, 'model attempt failed')
      }
    },
    backgroundFailed(task, err) {
      log.error({ task, err }, 'background work failed')
    },
  }
}
