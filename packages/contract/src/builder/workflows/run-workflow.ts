import { Type } from 'typebox'
import { defineOperation } from '../../operation/operation.ts'
import { AcceptedWorkflowRun } from '../../workflows/workflow-run.ts'
import { WORKFLOW_PATH, WorkflowPathParams } from '../operation/workflow-path.ts'

export const runWorkflowForBuilder = defineOperation({
  id: 'startWorkflowRun',
  method: 'POST',
  path: `${WORKFLOW_PATH}/runs`,
  tag: 'Workflows',
  summary: 'Run the published version',
  description: 'As its callers would. Same slots and same budgets.',
  access: 'builder',
  needs: 'build',
  params: WorkflowPathParams,
  body: Type.Object({
    triggerNodeId: Type.Optional(
      Type.String({ description: 'When absent, the first of manual, HTTP, form and recurrence triggers.' }),
    ),
    payload: Type.Optional(
      Type.Unknown({ description: 'What `{{ trigger }}` is: any JSON; `{}` when absent.' }),
    ),
  }),
  bodyOptional: true,
  success: { status: 202, description: 'The run is stored.', body: AcceptedWorkflowRun },
  errors: [
    'validation_error',
    'workflow_not_found',
    'workflow_not_published',
    'concurrency_limit_reached',
    'execution_create_failed',
  ],
})
