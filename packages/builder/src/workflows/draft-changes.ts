import { MOST_DRAFT_CHANGES } from '@troupe/builder-contract'
import { isUuid } from '@troupe/contract'
import type { Readers } from '@troupe/database'
import { workflowNotFound } from '@troupe/operations/workflows/workflow-errors'
import type { BuilderCaller } from '../access/builder-caller.ts'

/**
 * What changed in a draft since a revision. It is complete when every revision after it has its save: whole drafts that were saved,
 * and changes that are no longer kept, are gaps.
 *
 * @throws DomainError `workflow_not_found`
 */
export async function listDraftChanges(
  { builder }: Pick<Readers, 'builder'>,
  { organizationId }: BuilderCaller,
  { workflowId, since }: { workflowId: string; since: number },
) {
  const page = { since, limit: MOST_DRAFT_CHANGES }
  const found = isUuid(workflowId)
    ? await builder.workflows.changesSince(organizationId, workflowId, page)
    : null
  if (found === null) throw workflowNotFound()
  const { draftRevision, rows } = found
  return {
    draftRevision,
    isComplete: rows.length === Math.max(0, draftRevision - since),
    data: rows.map(({ at, changes, ...row }) => ({
      ...row,
      changes: changes as Record<string, unknown>[],
      at: at.toISOString(),
    })),
  }
}
