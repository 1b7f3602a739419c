import type { Scope } from '@troupe/agents/ports'
import type { IdText, WorkflowId } from '@troupe/contract'
import type { Actor } from '@troupe/storage'
import { auditedWorkflow } from '../workflows/audited-workflow.ts'
import type { ChangeWorkflowParts } from '../workflows/change-workflow.ts'
import { findWorkflow } from '../workflows/find-workflow.ts'
import type { PublishParts } from '../workflows/trigger-publisher.ts'
import { withdrawGraph } from './publish-graph.ts'

/**
 * Unpublishes a workflow and hides it permanently; its slug becomes available again. Runs in flight finish on
 * their version.
 *
 * @throws DomainError `workflow_not_found` or `forbidden`
 */
export async function deleteWorkflow(
  parts: ChangeWorkflowParts & PublishParts,
  scope: Scope,
  actor: Actor,
  workflowId: IdText<WorkflowId>,
): Promise<void> {
  const { organizationId } = scope
  const { database, configChanges } = parts
  await database.transaction(async (tx) => {
    const { write } = tx
    await write.organizations.lock(organizationId)
    const before = await findWorkflow((_, id) => write.workflows.lock(organizationId, id), scope, workflowId)
    await withdrawGraph(parts, tx, before)
    await write.workflows.softDelete(organizationId, before.id)
    await write.audit.append({
      organizationId,
      projectId: before.projectId,
      actor,
      action: 'workflow.deleted',
      entityKind: 'workflow',
      entityId: before.id,
      before: auditedWorkflow(before),
      after: null,
    })
  })
  configChanges.committed(organizationId)
}
