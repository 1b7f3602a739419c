import type { Scope } from '@troupe/agents/ports'
import type { WorkflowFinding } from '@troupe/contract'
import type { Readers } from '@troupe/database'
import { checkGraph } from './check-graph.ts'
import { findWorkflow } from './find-workflow.ts'

/**
 * All findings in the draft of a workflow; publishes nothing.
 *
 * @throws DomainError `workflow_not_found` or `forbidden`
 */
export async function validateWorkflow(
  read: Pick<Readers, 'workflows' | 'agents' | 'teams' | 'llmConfigurations'>,
  scope: Scope,
  workflowId: string,
): Promise<WorkflowFinding[]> {
  const workflow = await findWorkflow((...of) => read.workflows.byId(...of), scope, workflowId)
  return (await checkGraph(read, scope, workflow)).findings
}
