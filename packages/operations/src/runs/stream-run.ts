import { AnyRunId, checkedId, DomainError, type IdText, parseId, RunId } from '@troupe/contract'
import type { Database } from '@troupe/storage'
import type { BuilderCaller } from '../access/builder-caller.ts'
import type { RunPath } from './cancel-run.ts'
import { observedRunNotFound } from './run-errors.ts'

/**
 * The run of an agent or a team whose events can be streamed.
 *
 * @throws DomainError `run_not_found`, or `invalid_state` for a run that stores no events or excludes texts from traces
 */
export async function requireStream(
  { observed }: Pick<Database, 'observed'>,
  { organizationId }: BuilderCaller,
  runId: IdText<AnyRunId>,
): Promise<RunPath> {
  const id = parseId(AnyRunId, runId)
  const found = id && (await observed.runHead(organizationId, id))
  if (!found) throw observedRunNotFound()
  const { kind, entityId, source, isTest, readable } = found
  if (kind === 'workflow') {
    throw new DomainError('invalid_state', 'A workflow run has no event stream: watch it in `events`.')
  }
  if (source === 'api_sync') {
    throw new DomainError('invalid_state', 'A synchronous run stores no events.')
  }
  if (!readable?.inputs || !readable.outputs) {
    throw new DomainError(
      'invalid_state',
      'The events of this run cannot be shown, because one of its agents hides its texts from traces.',
    )
  }
  return { kind, entityId, runId: checkedId(RunId, id), isPlayground: isTest }
}
