import type { Scope } from '@troupe/agents/ports'
import type { IdText, WorkflowId } from '@troupe/contract'
import type { Actor, AuditEntry, Database, Transaction, WorkflowRecord } from '@troupe/storage'
import type { ConfigChanges } from '../catalog/config-changes.ts'
import { auditedChange } from './audited-workflow.ts'
import { findWorkflow } from './find-workflow.ts'
import { joinedChange } from './joined-change.ts'

export interface ChangeWorkflowParts {
  database: Pick<Database, 'transaction'>
  configChanges: ConfigChanges
}

/** The result of changing a workflow. */
export interface WorkflowChange {
  workflow: WorkflowRecord
  /** False when the change had no effect. */
  changed: boolean
  /** Further fields for the audit log. */
  also?: Record<string, unknown>
}

/** The audit entry of a change. */
export interface AuditedAction {
  /** `workflow.updated`. */
  action: AuditEntry['action']
  /** Seconds within which the same kind of change by the same actor is merged into one entry; absent: never merged. */
  joinsWithin?: number
  /** Label of the person's change. */
  gesture?: string
}

/**
 * Changes a workflow. `change` receives it under its row lock, so concurrent changes are serialized and none is lost;
 * if it reports no change, no audit row is written and no cache is invalidated.
 *
 * @throws DomainError `workflow_not_found` or `forbidden`
 */
export async function changeWorkflow(
  { database, configChanges }: ChangeWorkflowParts,
  scope: Scope,
  actor: Actor,
  { workflowId, action, joinsWithin, gesture }: AuditedAction & { workflowId: IdText<WorkflowId> },
  change: (before: WorkflowRecord, tx: Transaction) => Promise<WorkflowChange>,
): Promise<WorkflowRecord> {
  const { organizationId } = scope
  const { workflow, changed } = await database.transaction(async (tx) => {
    const { write } = tx
    // The organization is held before the workflow is locked, as in bundles, to avoid a deadlock, and before agents
    // are read: archiving one either waits for this transaction or is visible to it. Changes of one workflow wait for its
    // row; a publish of another one changes nothing that this one reads.
    await write.organizations.hold(organizationId)
    const locked = await findWorkflow((_, id) => write.workflows.lock(organizationId, id), scope, workflowId)
    const result = await change(locked, tx)
    if (result.changed) {
      const { before, after } = auditedChange(locked, result.workflow)
      const entry = {
        organizationId,
        projectId: result.workflow.projectId,
        actor,
        action,
        entityKind: 'workflow',
        entityId: result.workflow.id,
        before,
        after: { ...after, ...(gesture !== undefined && { gesture }), ...result.also },
      } as const
      const isJoined =
        joinsWithin !== undefined &&
        (await tx.auditJoins.join(entry, joinsWithin, (earlier) => joinedChange(earlier, entry)))
      if (!isJoined) await write.audit.append(entry)
    }
    return result
  })
  if (changed) configChanges.committed(organizationId)
  return workflow
}
