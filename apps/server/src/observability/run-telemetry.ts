import type { RunTelemetry } from '@troupe/runtime/ports'
import type { Logger } from 'pino'
import { Counter, Histogram, type Registry } from 'prom-client'
import { createRunSpans } from './run-spans.ts'

const SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900]

function metricsIn(registers: [Registry]) {
  return {
    runs: new Counter({
      name: 'troupe_runs_total',
      help: 'Finished runs.',
      labelNames: ['source', 'status', 'error'],
      registers,
    }),
    duration: new Histogram({
      name: 'troupe_run_duration_seconds',
      help: 'Time from acceptance to the end of a run.',
      labelNames: ['source'],
      buckets: SECONDS,
      registers,
    }),
    attempts: new Counter({
      name: 'troupe_model_attempts_total',
      help: 'Attempts at model providers.',
      labelNames: ['purpose', 'error', 'fallback'],
      registers,
    }),
    tokens: new Counter({
      name: 'troupe_model_tokens_total',
      help: 'Tokens reported by model providers.',
      labelNames: ['direction'],
      registers,
    }),
  }
}

/** Runs as log lines, Prometheus metrics and OpenTelemetry spans; none of them carries content. */
export function createRunTelemetry(logger: Logger, registry: Registry): RunTelemetry {
  const metrics = metricsIn([registry])
  const spans = createRunSpans()
  return {
    runStarted: spans.runStarted,
    runEnded(run, end) {
      spans.runEnded(run, end)
      const seconds = (end.completedAt - run.acceptedAt) / 1000
      metrics.runs.inc({ source: run.source, status: end.status, error: end.errorCode ?? '' })
      metrics.duration.observe({ source: run.source }, seconds)
      const { runId, organizationId, agentId, source } = run
      const line = { runId, organizationId, agentId, source, status: end.status, seconds }
      if (end.status === 'failed') {
        logger.warn({ ...line, errorCode: end.errorCode, reason: end.internal }, 'run failed')
      } else logger.debug(line, 'run ended')
    },
    modelAttempt(runId, attempt, purpose) {
      spans.modelAttempt(runId, attempt, purpose)
      const labels = { purpose, error: attempt.errorCode ?? '', fallback: String(attempt.isFallback) }
      metrics.attempts.inc(labels)
      metrics.tokens.inc({ direction: 'input' }, attempt.inputTokens)
      metrics.tokens.inc({ direction: 'output' }, attempt.outputTokens)
      if (!attempt.ok) {
        const { llmConfigId, modelId, errorCode, internalMessage } = attempt
        logger.warn(
          { runId, llmConfigId, modelId, errorCode, reason: internalMessage },
          'model attempt failed',
        )
      }
    },
    backgroundFailed(task, error) {
      logger.error({ task, err: error }, 'background work failed')
    },
  }
}
