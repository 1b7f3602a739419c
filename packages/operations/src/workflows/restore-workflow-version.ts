import type { Scope } from '@troupe/agents/ports'
import { isUuid, type Workflow } from '@troupe/contract'
import type { Actor } from '@troupe/database'
import { type ChangeWorkflowParts, changeWorkflow } from './change-workflow.ts'
import { presentWorkflow } from './present-workflow.ts'
import { workflowVersionNotFound } from './workflow-errors.ts'

/**
 * Restores the graph of a version as the draft. The published version is unaffected.
 *
 * @throws DomainError `workflow_not_found` (also for the version) or `forbidden`
 */
export async function restoreWorkflowVersion(
  parts: ChangeWorkflowParts,
  scope: Scope,
  actor: Actor,
  { workflowId, versionId }: { workflowId: string; versionId: string },
): Promise<Workflow> {
  const change = { workflowId, action: 'workflow.restored' } as const
  const after = await changeWorkflow(parts, scope, actor, change, async ({ id }, { write }) => {
    const restored = isUuid(versionId)
      ? await write.workflows.restore(scope.organizationId, id, versionId)
      : null
    if (!restored) throw workflowVersionNotFound()
    return { workflow: restored, changed: true }
  })
  return presentWorkflow(after)
}
