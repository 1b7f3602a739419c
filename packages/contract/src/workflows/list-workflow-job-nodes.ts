import { Type } from 'typebox'
import { defineOperation } from '../operation/operation.ts'
import { Page, pageQuery } from '../schema/page.ts'
import { WorkflowJobParams, WorkflowNodeRun } from './workflow-run.ts'

export const listWorkflowJobNodesOperation = defineOperation({
  id: 'listWorkflowJobNodes',
  method: 'GET',
  path: '/api/v1/workflow-jobs/{jobId}/nodes',
  tag: 'Workflow runs',
  summary: "List the results of a run's nodes",
  access: 'api_key',
  params: WorkflowJobParams,
  query: Type.Object(pageQuery),
  success: { status: 200, description: 'One page of nodes, in order.', body: Page(WorkflowNodeRun) },
  errors: ['validation_error', 'job_not_found'],
})
