import type { Scope } from '@troupe/agents/ports'
import type { Workflow } from '@troupe/contract'
import { findWorkflow, type ReadWorkflow } from './find-workflow.ts'
import { presentWorkflow } from './present-workflow.ts'

/** @throws DomainError `workflow_not_found` or `forbidden` */
export async function getWorkflow(read: ReadWorkflow, scope: Scope, workflowId: string): Promise<Workflow> {
  return presentWorkflow(await findWorkflow(read, scope, workflowId))
}
