import type { Scope } from '@troupe/agents/ports'
import type { IdText, WorkflowFinding, WorkflowId } from '@troupe/contract'
import type { Readers } from '@troupe/storage'
import { checkGraph } from './check-graph.ts'
import { findWorkflow } from './find-workflow.ts'

/**
 * All findings in the draft of a workflow, or in another graph for it; publishes nothing.
 *
 * @throws DomainError `workflow_not_found` or `forbidden`
 */
export async function validateWorkflow(
  read: Pick<Readers, 'workflows' | 'agents' | 'teams' | 'llmConfigurations'>,
  scope: Scope,
  workflowId: IdText<WorkflowId>,
  graph?: unknown,
): Promise<WorkflowFinding[]> {
  const workflow = await findWorkflow((...of) => read.workflows.byId(...of), scope, workflowId)
  const checked = graph === undefined ? workflow : { ...workflow, draft: graph }
  return (await checkGraph(read, scope, checked)).findings
}
