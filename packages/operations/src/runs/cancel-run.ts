import type { RunnableKind, RunStore, Scope } from '@troupe/agents/ports'
import { DomainError, type IdText, parseId, RUNNABLE_IDS, RunId } from '@troupe/contract'

/** The path parameters of a run, unchecked. */
export interface RunPath {
  kind: RunnableKind
  entityId: string
  runId: IdText<RunId>
  /** Whether the run belongs to the playground: each API finds only its own runs. */
  isPlayground: boolean
}

/** The answer of a cancel: whether this call ended the run. */
export interface CancelResult {
  cancelled: boolean
  runId: IdText<RunId>
  message?: string
}

/** The error for a run id: one text for unknown, foreign and malformed ids. */
export function runNotFound(kind: RunnableKind): DomainError {
  return new DomainError('run_not_found', `Run not found for this ${kind}.`)
}

/**
 * Cancels a run in progress, whichever process executes it. A run that has ended keeps its status.
 *
 * @throws DomainError `run_not_found`.
 */
export async function cancelRun(
  { runs }: { runs: Pick<RunStore, 'cancel'> },
  scope: Scope,
  { kind, entityId, runId, isPlayground }: RunPath,
): Promise<CancelResult> {
  const [ownerId, id] = [parseId(RUNNABLE_IDS[kind].id, entityId), parseId(RunId, runId)]
  if (ownerId === null || id === null) throw runNotFound(kind)
  const target = { kind, entityId: ownerId, runId: id, isPlayground }
  const outcome = await runs.cancel(scope, target)
  if (!outcome) throw runNotFound(kind)
  return outcome.cancelled
    ? { cancelled: true, runId }
    : { cancelled: false, runId, message: 'The run has already completed.' }
}
