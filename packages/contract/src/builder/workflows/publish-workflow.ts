import { Type } from 'typebox'
import { defineOperation } from '../../operation/operation.ts'
import { OpenObject } from '../../schema/objects.ts'
import {
  PublishedWorkflow,
  PublishWorkflowBody,
  Workflow,
  WorkflowFinding,
} from '../../workflows/definition/workflow.ts'
import { WORKFLOW_PATH, WorkflowPathParams } from '../operation/workflow-path.ts'

const common = { tag: 'Workflows', access: 'builder', needs: 'build', params: WorkflowPathParams } as const

export const validateWorkflowForBuilder = defineOperation({
  ...common,
  id: 'validateWorkflow',
  method: 'POST',
  path: `${WORKFLOW_PATH}/validate`,
  summary: 'Find problems in a graph',
  body: Type.Object({
    graph: Type.Optional(OpenObject({ maxProperties: 1_000, description: 'The stored draft when absent.' })),
  }),
  bodyOptional: true,
  success: {
    status: 200,
    description: 'Every finding.',
    body: Type.Object({ findings: Type.Array(WorkflowFinding) }),
  },
  errors: ['validation_error', 'workflow_not_found'],
})

export const publishWorkflowForBuilder = defineOperation({
  ...common,
  id: 'publishWorkflow',
  method: 'POST',
  path: `${WORKFLOW_PATH}/publish`,
  summary: 'Publish the draft',
  description:
    'Takes the `draftRevision` that was read; with the admin token it may be omitted. A graph that callers run already ' +
    'makes no new version; its label and note are written. Blocking test cases must have passed for exactly this draft, unless ' +
    'somebody with the permission `manage` sends `ignoreTests`.',
  body: PublishWorkflowBody,
  bodyOptional: true,
  success: { status: 200, description: 'The version that callers run now.', body: PublishedWorkflow },
  errors: ['validation_error', 'workflow_not_found', 'draft_conflict', 'tests_not_passed'],
})

export const unpublishWorkflowForBuilder = defineOperation({
  ...common,
  id: 'unpublishWorkflow',
  method: 'POST',
  path: `${WORKFLOW_PATH}/unpublish`,
  summary: 'Unpublish a workflow',
  description: 'Callers are refused from now on. Runs in flight finish on their version.',
  success: { status: 200, description: 'The workflow.', body: Workflow },
  errors: ['workflow_not_found'],
})
