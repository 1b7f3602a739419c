import { type AgentId, DomainError, isUuid, type RunId } from '@troupe/contract'
import type { RunStore, Scope } from '@troupe/runtime/ports'

/** The answer of a cancel: whether this call ended the run. */
export interface CancelResult {
  cancelled: boolean
  runId: string
  message?: string
}

/** The refusal of a run id: one text for unknown, foreign and malformed ids. */
export function runNotFound(): DomainError {
  return new DomainError('run_not_found', 'There is no such run of this agent.')
}

/**
 * Cancels a run in progress, whichever process executes it. A run that has ended keeps its verdict.
 *
 * @throws DomainError `run_not_found`.
 */
export async function cancelAgentRun(
  { runs }: { runs: Pick<RunStore, 'cancel'> },
  scope: Scope,
  agentId: string,
  runId: string,
): Promise<CancelResult> {
  if (!isUuid(agentId) || !isUuid(runId)) throw runNotFound()
  const outcome = await runs.cancel(scope, agentId as AgentId, runId as RunId)
  if (!outcome) throw runNotFound()
  return outcome.cancelled
    ? { cancelled: true, runId }
    : { cancelled: false, runId, message: 'The run has already completed.' }
}
