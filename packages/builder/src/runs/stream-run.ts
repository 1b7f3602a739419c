import { DomainError, isUuid } from '@troupe/contract'
import type { Database } from '@troupe/database'
import type { RunPath } from '@troupe/operations/runs/cancel-run'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { observedRunNotFound } from './run-errors.ts'

/**
 * The run of an agent or a team whose events can be followed.
 *
 * @throws DomainError `run_not_found`, or `invalid_state` for a run that stores no events or keeps texts out of traces
 */
export async function requireStream(
  { observed }: Pick<Database, 'observed'>,
  { organizationId }: BuilderCaller,
  runId: string,
): Promise<RunPath> {
  const found = isUuid(runId) ? await observed.runHead(organizationId, runId) : null
  if (!found) throw observedRunNotFound()
  const { kind, entityId, source, isTest, readable } = found
  if (kind === 'workflow') {
    throw new DomainError(
      'invalid_state',
      'A run of a workflow has no events of its own: watch it in `events`.',
    )
  }
  if (source === 'api_sync') {
    throw new DomainError('invalid_state', 'A synchronous run stores no events.')
  }
  if (!readable?.inputs || !readable.outputs) {
    throw new DomainError(
      'invalid_state',
      'An agent of the run keeps texts out of traces, and its events hold them.',
    )
  }
  return { kind, entityId, runId, isPlayground: isTest }
}
