import type { Scope } from '@troupe/agents/ports'
import type { Actor, Database, Transaction, WorkflowRecord } from '@troupe/database'
import type { ConfigChanges } from '../catalog/config-changes.ts'
import { auditedChange } from './audited-workflow.ts'
import { findWorkflow } from './find-workflow.ts'

export interface ChangeWorkflowParts {
  database: Pick<Database, 'transaction'>
  configChanges: ConfigChanges
}

/** The result of changing a workflow. */
export interface WorkflowChange {
  workflow: WorkflowRecord
  /** False when the change had no effect. */
  changed: boolean
}

/**
 * Changes a workflow. `change` receives it under its row lock, so concurrent changes are serialized and none
 * is lost; when it reports no change, no audit row is written and no cache is invalidated.
 *
 * @param action for the audit log: `workflow.updated`
 * @throws DomainError `workflow_not_found` or `forbidden`
 */
export async function changeWorkflow(
  { database, configChanges }: ChangeWorkflowParts,
  scope: Scope,
  actor: Actor,
  { workflowId, action }: { workflowId: string; action: string },
  change: (before: WorkflowRecord, tx: Transaction) => Promise<WorkflowChange>,
): Promise<WorkflowRecord> {
  const { organizationId } = scope
  const { workflow, changed } = await database.transaction(async (tx) => {
    const { write } = tx
    // The organization is locked before the workflow, as in bundles, to avoid a deadlock, and before agents
    // are read: archiving one either waits for this transaction or is visible to it.
    await write.organizations.lock(organizationId)
    const locked = await findWorkflow((_, id) => write.workflows.lock(organizationId, id), scope, workflowId)
    const result = await change(locked, tx)
    if (result.changed) {
      await write.audit.append({
        organizationId,
        projectId: result.workflow.projectId,
        actor,
        action,
        entityKind: 'workflow',
        entityId: result.workflow.id,
        ...auditedChange(locked, result.workflow),
      })
    }
    return result
  })
  if (changed) configChanges.committed(organizationId)
  return workflow
}
