import { type AgentId, isUuid, type RunId, type StreamEvent } from '@troupe/contract'
import { followRun } from '@troupe/runtime'
import type { RunStore, Scope, Signals } from '@troupe/runtime/ports'
import { runNotFound } from './cancel-agent-run.ts'

/** What following needs. */
export interface ResumeDependencies {
  runs: Pick<RunStore, 'find' | 'eventsAfter'>
  signals: Signals
  now: () => number
}

/**
 * The events of a streaming run after a sequence number, then live until its end.
 *
 * @throws DomainError `run_not_found`, also for a run that was not started as a stream.
 */
export async function resumeAgentStream(
  { runs, signals, now }: ResumeDependencies,
  target: { scope: Scope; agentId: string; runId: string },
  after: number,
  signal: AbortSignal,
): Promise<AsyncGenerator<StreamEvent>> {
  if (!isUuid(target.agentId) || !isUuid(target.runId)) throw runNotFound()
  const run = { scope: target.scope, agentId: target.agentId as AgentId, runId: target.runId as RunId }
  const record = await runs.find(run.scope, run.agentId, run.runId)
  if (record?.source !== 'api_stream') throw runNotFound()
  return followRun({ store: runs, signals, now }, run, after, signal)
}
