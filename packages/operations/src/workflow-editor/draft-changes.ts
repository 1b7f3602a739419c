import { type IdText, parseId, WorkflowId } from '@troupe/contract'
import type { Readers } from '@troupe/storage'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { type DraftChangesSince, draftChangesSince } from '../workflows/draft-changes-since.ts'
import { workflowNotFound } from '../workflows/workflow-errors.ts'

/**
 * The changes of a draft since a revision. Each page has at least one save, so that readers always make progress.
 *
 * @throws DomainError `workflow_not_found`
 */
export async function listDraftChanges(
  read: Pick<Readers, 'builder'>,
  { organizationId }: BuilderCaller,
  { workflowId, since }: { workflowId: IdText<WorkflowId>; since: number },
): Promise<DraftChangesSince> {
  const id = parseId(WorkflowId, workflowId)
  const found = id && (await draftChangesSince(read, { organizationId, id }, since, 1))
  if (found === null) throw workflowNotFound()
  return found
}
