import { publishGraph } from '@troupe/operations/publishing/publish-graph'
import { auditedChange } from '@troupe/operations/workflows/audited-workflow'
import type { PublishParts } from '@troupe/operations/workflows/trigger-publisher'
import { writeWorkflow } from '@troupe/operations/workflows/update-workflow'
import type { Actor, AuditEntry, Transaction, WorkflowRecord } from '@troupe/storage'
import type { WorkflowStep } from '../plan/plan-workflows.ts'

/**
 * Writes a workflow and publishes it if planned, with one audit row each. Every writer of a workflow holds the
 * organization's lock, so `before` is the replaced row.
 */
export async function writeWorkflowStep(
  parts: PublishParts,
  tx: Transaction,
  { before, after, publishes, settings }: WorkflowStep,
  actor: Actor,
): Promise<void> {
  const { write } = tx
  const { id, organizationId, projectId, draft } = after
  const audit = (action: AuditEntry['action'], earlier: WorkflowRecord | null, later: WorkflowRecord) =>
    write.audit.append({
      organizationId,
      projectId,
      actor,
      action,
      entityKind: 'workflow',
      entityId: id,
      ...auditedChange(earlier, later),
    })
  const { workflow: written, changed } = before
    ? await writeWorkflow(tx, actor, before, after)
    : { workflow: await write.workflows.insert(after), changed: true }
  if (changed) await audit(`workflow.${before ? 'updated' : 'created'}`, before, written)
  if (publishes === null) return
  const resources = publishes
  const published = await publishGraph(parts, tx, written, {
    graph: draft,
    resources,
    createdBy: actor,
    settings,
  })
  if (published.changed) await audit('workflow.published', written, published.workflow)
}
