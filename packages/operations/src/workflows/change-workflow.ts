import type { Scope } from '@troupe/agents/ports'
import type { Actor, Database, Transaction, WorkflowRecord } from '@troupe/database'
import type { ConfigChanges } from '../catalog/config-changes.ts'
import { auditedChange } from './audited-workflow.ts'
import { findWorkflow } from './find-workflow.ts'

/** What changing a workflow uses. */
export interface ChangeWorkflowParts {
  database: Pick<Database, 'transaction'>
  configChanges: ConfigChanges
}

/** What a change made of a workflow. */
export interface WorkflowChange {
  workflow: WorkflowRecord
  /** False when the workflow was like that already. */
  changed: boolean
}

/**
 * Changes a workflow. `change` sees it under its lock, so that two changes follow one after the other and neither is
 * lost; when it reports no change, neither the audit log nor the caches hear of it.
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
    // Always before the workflow, as in bundles, else two of them wait for each other; and before agents are looked at:
    // archiving one waits for this transaction, or this one sees it archived.
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
