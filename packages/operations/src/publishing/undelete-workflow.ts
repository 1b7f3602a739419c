import type { Scope } from '@troupe/agents/ports'
import type { IdText, Workflow, WorkflowId } from '@troupe/contract'
import type { Actor } from '@troupe/storage'
import { auditedWorkflow } from '../workflows/audited-workflow.ts'
import type { ChangeWorkflowParts } from '../workflows/change-workflow.ts'
import { findWorkflow } from '../workflows/find-workflow.ts'
import { presentWorkflow } from '../workflows/present-workflow.ts'

/**
 * Restores a deleted workflow with its draft and versions, unpublished. No effect on a workflow that is not deleted, so
 * two people who restore it concurrently both get the workflow.
 *
 * @throws DomainError `workflow_not_found` or `forbidden`
 */
export async function undeleteWorkflow(
  { database, configChanges }: ChangeWorkflowParts,
  scope: Scope,
  actor: Actor,
  workflowId: IdText<WorkflowId>,
): Promise<Workflow> {
  const { organizationId } = scope
  const { workflow, isChanged } = await database.transaction(async ({ write }) => {
    // The organization need not be held, because nothing references a deleted workflow. The row lock decides between
    // two people who restore it.
    await write.organizations.hold(organizationId)
    let isUndeleted = false
    const found = await findWorkflow(
      async (_, id) => {
        const undeleted = await write.workflows.undelete(organizationId, id)
        isUndeleted = undeleted !== null
        return undeleted ?? write.workflows.lock(organizationId, id)
      },
      scope,
      workflowId,
    )
    if (isUndeleted) {
      await write.audit.append({
        organizationId,
        projectId: found.projectId,
        actor,
        action: 'workflow.undeleted',
        entityKind: 'workflow',
        entityId: found.id,
        before: null,
        after: auditedWorkflow(found),
      })
    }
    return { workflow: found, isChanged: isUndeleted }
  })
  if (isChanged) configChanges.committed(organizationId)
  return presentWorkflow(workflow)
}
