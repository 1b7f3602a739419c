import { DomainError } from '@troupe/contract'
import type { Readers, WorkflowRecord } from '@troupe/database'

/** Also for ids that are no UUID and for workflows of other organizations: all look the same. */
export function workflowNotFound(): DomainError {
  return new DomainError('workflow_not_found', 'There is no such workflow in this organization.')
}

export function workflowForbidden(): DomainError {
  return new DomainError('forbidden', 'The workflow does not belong to the project of this API key.')
}

/** No version with this id, or one of another workflow. */
export function workflowVersionNotFound(): DomainError {
  return new DomainError('version_not_found', 'There is no such version of this workflow.')
}

/** The caller's draft revision is stale: the error says who changed the draft. */
export async function draftConflict(
  { builder }: Pick<Readers, 'builder'>,
  { organizationId, id, draftRevision, updatedAt }: WorkflowRecord,
): Promise<DomainError> {
  const changedBy = await builder.workflows.lastChange(organizationId, id)
  return new DomainError(
    'draft_conflict',
    `The draft was changed since it was read: its revision is ${draftRevision} now.`,
    {
      current: {
        number: draftRevision,
        versionId: null,
        changedBy,
        changedAt: updatedAt.toISOString(),
      },
    },
  )
}
