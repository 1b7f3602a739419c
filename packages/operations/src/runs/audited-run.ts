import type { AuditEntry, RunHead } from '@troupe/storage'
import type { BuilderCaller } from '../access/builder-caller.ts'

/** The audit row of a change of a run. */
export function auditedRun(
  { organizationId, actor }: BuilderCaller,
  {
    runId,
    kind,
    entityId,
    projectId,
    status,
  }: Pick<RunHead, 'runId' | 'kind' | 'entityId' | 'projectId' | 'status'>,
  verb: 'cancelled' | 'paused' | 'resumed' | 'repeated',
  after: Record<string, unknown>,
): AuditEntry {
  return {
    organizationId,
    projectId,
    actor,
    action: `run.${verb}`,
    entityKind: 'run',
    entityId: runId,
    before: { kind, entityId, status },
    after,
  }
}
