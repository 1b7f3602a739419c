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

/**
 * Changes a workflow. `change` sees it under its lock, so that two changes follow one after the other and neither is
 * lost; when it gives back what it got, nothing is written.
 *
 * @param action for the audit log: `workflow.updated`
 * @throws DomainError `workflow_not_found` or `forbidden`
 */
export async function changeWorkflow(
  { database, configChanges }: ChangeWorkflowParts,
  scope: Scope,
  actor: Actor,
  { workflowId, action }: { workflowId: string; action: string },
  change: (before: WorkflowRecord, tx: Transaction) => Promise<WorkflowRecord>,
): Promise<WorkflowRecord> {
  const { organizationId } = scope
  const { before, after } = await database.transaction(async (tx) => {
    const { write } = tx
    // Always before the workflow, as in bundles, else two of them wait for each other; and before agents are looked at:
    // archiving one waits for this transaction, or this one sees it archived.
    await write.organizations.lock(organizationId)
    const locked = await findWorkflow((_, id) => write.workflows.lock(organizationId, id), scope, workflowId)
    const changed = await change(locked, tx)
    if (changed !== locked) {
      await write.audit.append({
        organizationId,
        projectId: changed.projectId,
        actor,
        action,
        entityKind: 'workflow',
        entityId: changed.id,
        ...auditedChange(locked, changed),
      })
    }
    return { before: locked, after: changed }
  })
  if (after !== before) configChanges.committed(organizationId)
  return after
}
