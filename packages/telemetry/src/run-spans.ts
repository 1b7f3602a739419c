import { context, type Span, SpanStatusCode, trace } from '@opentelemetry/api'
import type { ModelAttempt, ObservedRun, RunTelemetry } from '@troupe/agents/ports'

const tracer = trace.getTracer('troupe')

function chatSpan(parent: Span | undefined, attempt: ModelAttempt, purpose: string): void {
  const endedAt = Date.now()
  const under = parent ? trace.setSpan(context.active(), parent) : context.active()
  const span = tracer.startSpan(
    `chat ${attempt.modelId}`,
    {
      startTime: endedAt - attempt.latencyMs,
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.model': attempt.modelId,
        'gen_ai.usage.input_tokens': attempt.inputTokens,
        'gen_ai.usage.output_tokens': attempt.outputTokens,
        'troupe.llm_config_id': attempt.llmConfigId,
        'troupe.purpose': purpose,
        'troupe.attempt': attempt.attempt,
        'troupe.fallback': attempt.isFallback,
      },
    },
    under,
  )
  if (attempt.errorCode) {
    span.setAttribute('error.type', attempt.errorCode)
    span.setStatus({ code: SpanStatusCode.ERROR })
  }
  span.end(endedAt)
}

/**
 * Traces of runs by OpenTelemetry's GenAI conventions: `invoke_agent` with one `chat` per attempt. Content is
 * never recorded; without a configured exporter every span is a no-op.
 */
export function createRunSpans(): Pick<
  RunTelemetry,
  'runStarted' | 'turnEnded' | 'modelAttempt' | 'runEnded'
> {
  const spans = new Map<string, Span>()
  return {
    runStarted(run: ObservedRun) {
      const span = tracer.startSpan(`invoke_agent ${run.name}`, {
        startTime: run.acceptedAt,
        attributes: {
          'gen_ai.operation.name': 'invoke_agent',
          'gen_ai.agent.id': run.entityId,
          'gen_ai.agent.name': run.name,
          'troupe.kind': run.kind,
          'gen_ai.conversation.id': run.sessionId,
          'troupe.run_id': run.runId,
          'troupe.organization_id': run.organizationId,
          ...(run.tag === null ? {} : { 'troupe.tag': run.tag }),
        },
      })
      if (span.isRecording()) spans.set(run.runId, span)
    },
    turnEnded(run) {
      spans.get(run.runId)?.end()
      spans.delete(run.runId)
    },
    modelAttempt(runId, attempt, purpose) {
      if (spans.size > 0) chatSpan(spans.get(runId), attempt, purpose)
    },
    runEnded(run, end) {
      const span = spans.get(run.runId)
      if (!span) return
      spans.delete(run.runId)
      span.setAttributes({
        'gen_ai.usage.input_tokens': end.inputTokens,
        'gen_ai.usage.output_tokens': end.outputTokens,
        'troupe.status': end.status,
      })
      if (end.errorCode) {
        span.setAttribute('error.type', end.errorCode)
        span.setStatus({ code: SpanStatusCode.ERROR })
      }
      span.end(end.completedAt)
    },
  }
}
