import type { Scope } from '@troupe/agents/ports'
import { type IdText, parseId, type Workflow, type WorkflowId, WorkflowVersionId } from '@troupe/contract'
import type { Actor } from '@troupe/storage'
import { type ChangeWorkflowParts, changeWorkflow } from './change-workflow.ts'
import { checkRevision, requireRevision } from './draft-revision.ts'
import { presentWorkflow } from './present-workflow.ts'
import { workflowVersionNotFound } from './workflow-errors.ts'

/**
 * Restores the graph of a version as the draft, which is replaced. The published version is unaffected.
 *
 * @throws DomainError `validation_error`, `workflow_not_found`, `version_not_found`, `forbidden` or `draft_conflict`
 */
export async function restoreWorkflowVersion(
  parts: ChangeWorkflowParts,
  scope: Scope,
  actor: Actor,
  { workflowId, versionId }: { workflowId: IdText<WorkflowId>; versionId: IdText<WorkflowVersionId> },
  { draftRevision }: { draftRevision?: number } = {},
): Promise<Workflow> {
  requireRevision(actor, draftRevision)
  const change = { workflowId, action: 'workflow.restored' } as const
  const after = await changeWorkflow(parts, scope, actor, change, async (before, tx) => {
    const state = { organizationId: scope.organizationId, id: before.id }
    await tx.write.workflows.keepSnapshot(state)
    const key = parseId(WorkflowVersionId, versionId)
    const restored = key && (await tx.write.workflows.restore(scope.organizationId, before.id, key))
    if (!restored) throw workflowVersionNotFound()
    await checkRevision(tx, before, draftRevision)
    await tx.write.workflows.keepSnapshot({ ...state, keep: { reason: 'replaced', by: actor, label: null } })
    return { workflow: restored, changed: true }
  })
  return presentWorkflow(after)
}
