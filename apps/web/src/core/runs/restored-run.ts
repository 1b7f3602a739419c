import type { ListedRun } from '@troupe/contract/builder'
import { isEnded } from './run-state.ts'
import { NEW_RUN, type RunView, type ShownRunEnd } from './run-view.ts'

/** An ended run of a conversation without its steps, which only its stream has. */
export function restoredRun(run: ListedRun, content: string | null): RunView {
  const { runId, kind, entity, sessionId } = run
  const { inputTokens, outputTokens } = run
  return {
    ...NEW_RUN,
    runId,
    kind: kind === 'team' ? 'team' : 'agent',
    name: entity.name,
    sessionId,
    own: { ...NEW_RUN.own, inputTokens: inputTokens ?? 0, outputTokens: outputTokens ?? 0 },
    end: isEnded(run.status) ? endOf(run, content ?? '') : null,
  }
}

function endOf({ status, success, error, durationMs }: ListedRun, content: string): ShownRunEnd {
  if (status === 'completed') {
    const facts = { citations: [], flags: null, failoverUsed: false, latencyMs: durationMs }
    return { kind: 'completed', content, success: success ?? true, ...facts }
  }
  if (status === 'cancelled') return { kind: 'cancelled', content }
  return { kind: 'failed', code: error?.code ?? status, message: error?.message ?? '' }
}
