import type { Scope } from '@troupe/agents/ports'
import type { PublishedWorkflow, PublishWorkflowBody } from '@troupe/contract'
import type { Actor } from '@troupe/database'
import { type ChangeWorkflowParts, changeWorkflow } from '../workflows/change-workflow.ts'
import { checkGraph, requirePublishable } from '../workflows/check-graph.ts'
import { presentWorkflow } from '../workflows/present-workflow.ts'
import type { PublishParts } from '../workflows/trigger-publisher.ts'
import { draftConflict } from '../workflows/workflow-errors.ts'
import { publishGraph } from './publish-graph.ts'

/**
 * Publishes the draft as a version with its deployment; an already published graph creates no version, see
 * `publishGraph`, but takes the label and the note. The returned findings are those that do not block publishing.
 *
 * @throws DomainError `validation_error` listing every error, `workflow_not_found`, `forbidden` or
 *   `draft_conflict`
 */
export async function publishWorkflow(
  parts: ChangeWorkflowParts & PublishParts,
  scope: Scope,
  actor: Actor,
  workflowId: string,
  { draftRevision, formPassword, label, note }: PublishWorkflowBody = {},
): Promise<PublishedWorkflow> {
  let findings: PublishedWorkflow['findings'] = []
  const change = { workflowId, action: 'workflow.published' } as const
  const workflow = await changeWorkflow(parts, scope, actor, change, async (before, tx) => {
    if (draftRevision !== undefined && draftRevision !== before.draftRevision) {
      throw await draftConflict(tx.read, before)
    }
    const checked = await checkGraph(tx.read, scope, before)
    const graph = requirePublishable(checked)
    findings = checked.findings
    const { resources } = checked
    const settings = formPassword === undefined ? {} : { formPassword }
    const words = { ...(label !== undefined && { label }), ...(note !== undefined && { note }) }
    return publishGraph(parts, tx, before, { graph, resources, createdBy: actor, settings, words })
  })
  return { workflow: presentWorkflow(workflow), findings }
}
