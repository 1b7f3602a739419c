import { MOST_DRAFT_CHANGES } from '@troupe/builder-contract'
import { isUuid } from '@troupe/contract'
import type { Readers } from '@troupe/database'
import { workflowNotFound } from '@troupe/operations/workflows/workflow-errors'
import type { BuilderCaller } from '../access/builder-caller.ts'

/** Bytes of changes in one answer, but for the save that reaches them. A reader that lacks more reads the draft, of at most 4 MB. */
const MOST_BYTES = 4 * 1024 * 1024

/**
 * What changed in a draft since a revision. It is complete when every revision after it has its save: whole drafts that were saved,
 * changes that are no longer kept, and what exceeds the limits of one answer are gaps.
 *
 * @throws DomainError `workflow_not_found`
 */
export async function listDraftChanges(
  { builder }: Pick<Readers, 'builder'>,
  { organizationId }: BuilderCaller,
  { workflowId, since }: { workflowId: string; since: number },
) {
  const page = { since, limit: MOST_DRAFT_CHANGES, bytes: MOST_BYTES }
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
