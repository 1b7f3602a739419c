import { DomainError, shortened } from '@troupe/contract'
import type { Readers, WorkflowRecord } from '@troupe/storage'
import { draftChangesSince } from './draft-changes-since.ts'

/** Also for malformed ids and for workflows of other organizations: all look the same. */
export function workflowNotFound(): DomainError {
  return new DomainError('workflow_not_found', 'Workflow not found in this organization.')
}

export function workflowForbidden(): DomainError {
  return new DomainError('forbidden', 'The workflow does not belong to the project of this API key.')
}

/** No version with this id, or a version of another workflow. */
export function workflowVersionNotFound(): DomainError {
  return new DomainError('version_not_found', 'Version not found in this workflow.')
}

/** A revision that the draft never had, or whose state is no longer kept. */
export function draftRevisionNotKept(revision: string): DomainError {
  return new DomainError(
    'version_not_found',
    `Revision ${shortened(revision, 20)} of the draft is no longer kept.`,
  )
}

/**
 * The caller's draft revision is stale: the error names the author of the last change.
 *
 * @param since the caller's revision, if the error is to include all later saves, provided that they fit
 */
export async function draftConflict(
  read: Pick<Readers, 'builder'>,
  { organizationId, id, draftRevision, updatedAt }: WorkflowRecord,
  since: number | null = null,
): Promise<DomainError> {
  const changedBy = await read.builder.workflows.lastChange(organizationId, id)
  const found = since === null ? null : await draftChangesSince(read, { organizationId, id }, since, 0)
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
      // A revision that the draft never had gets no changes.
      changesSince: found?.isComplete && found.data.length > 0 ? found.data : null,
    },
  )
}
