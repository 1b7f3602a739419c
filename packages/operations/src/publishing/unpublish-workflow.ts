import type { Scope } from '@troupe/agents/ports'
import type { IdText, Workflow, WorkflowId } from '@troupe/contract'
import type { Actor } from '@troupe/storage'
import { type ChangeWorkflowParts, changeWorkflow } from '../workflows/change-workflow.ts'
import { presentWorkflow } from '../workflows/present-workflow.ts'
import type { PublishParts } from '../workflows/trigger-publisher.ts'
import { withdrawGraph } from './publish-graph.ts'

/**
 * Unpublishes a workflow; runs in flight finish on their version. No effect on an unpublished workflow.
 *
 * @throws DomainError `workflow_not_found` or `forbidden`
 */
export async function unpublishWorkflow(
  parts: ChangeWorkflowParts & PublishParts,
  scope: Scope,
  actor: Actor,
  workflowId: IdText<WorkflowId>,
): Promise<Workflow> {
  const change = { workflowId, action: 'workflow.unpublished' } as const
  const after = await changeWorkflow(parts, scope, actor, change, async (before, tx) => {
    if (!before.activeDeployment) return { workflow: before, changed: false }
    await withdrawGraph(parts, tx, before)
    const workflow = await tx.write.workflows.unpublish(scope.organizationId, before.id)
    return { workflow, changed: true }
  })
  return presentWorkflow(after)
}
