import { followRun } from '@troupe/agents'
import type { RunStore, Scope } from '@troupe/agents/ports'
import { parseId, RUNNABLE_IDS, RunId, type StreamEvent } from '@troupe/contract'
import type { Signals } from '@troupe/durable-work'
import { type RunPath, runNotFound } from './cancel-run.ts'

export interface ResumeDependencies {
  runs: Pick<RunStore, 'find' | 'eventsAfter'>
  signals: Signals
  now: () => number
}

/**
 * The events of a streaming run or a job after a sequence number, then live until its end.
 *
 * @throws DomainError `run_not_found`, including for a synchronous run, which has no events.
 */
export async function resumeStream(
  { runs, signals, now }: ResumeDependencies,
  scope: Scope,
  { kind, entityId, runId, isPlayground }: RunPath,
  after: number,
  signal: AbortSignal,
): Promise<AsyncGenerator<StreamEvent>> {
  const [ownerId, id] = [parseId(RUNNABLE_IDS[kind].id, entityId), parseId(RunId, runId)]
  if (ownerId === null || id === null) throw runNotFound(kind)
  const target = { kind, entityId: ownerId, runId: id, isPlayground }
  const record = await runs.find(scope, target)
  if (!record || record.source === 'api_sync') throw runNotFound(kind)
  return followRun({ store: runs, signals, now }, { scope, target }, after, signal)
}
