import { type Static, Type } from 'typebox'
import { defineOperation } from '../../operation/operation.ts'
import { Uuid } from '../../schema/formats.ts'
import type { WorkflowId } from '../../schema/ids.ts'
import { Page } from '../../schema/page.ts'
import { CreateWorkflowBody, UpdateWorkflowBody, Workflow } from '../../workflows/definition/workflow.ts'
import { configurationQuery } from '../operation/lists.ts'
import { ORGANIZATION_PATH, organizationParams } from '../operation/paths.ts'
import { WORKFLOW_PATH, WorkflowPathParams } from '../operation/workflow-path.ts'
import { BuilderWorkflow, WorkflowOverviewItem } from './workflow-overview.ts'

const path = `${ORGANIZATION_PATH}/workflows` as const
const params = Type.Object(organizationParams)
const tag = 'Workflows'

export const listWorkflowsForBuilder = defineOperation({
  id: 'listWorkflows',
  method: 'GET',
  path,
  tag,
  summary: 'List workflows',
  access: 'builder',
  needs: 'read',
  params,
  query: Type.Object(configurationQuery),
  success: { status: 200, description: 'One page, without drafts.', body: Page(WorkflowOverviewItem) },
  errors: ['validation_error'],
})

/** A new workflow; without a draft it is empty. */
export const NewWorkflowBody = Type.Object({
  ...CreateWorkflowBody.properties,
  id: Type.Optional(Uuid<WorkflowId>({ description: 'Makes the request repeatable.' })),
})
export type NewWorkflowBody = Static<typeof NewWorkflowBody>

export const createWorkflowForBuilder = defineOperation({
  id: 'createWorkflow',
  method: 'POST',
  path,
  tag,
  summary: 'Create a workflow',
  access: 'builder',
  needs: 'build',
  params,
  body: NewWorkflowBody,
  success: {
    status: 201,
    description: 'The workflow; it is not published.',
    body: BuilderWorkflow,
    unchanged: 'The existing workflow with this id; nothing was changed.',
  },
  errors: ['validation_error', 'project_not_found', 'id_taken'],
})

export const getWorkflowForBuilder = defineOperation({
  id: 'getWorkflow',
  method: 'GET',
  path: WORKFLOW_PATH,
  tag,
  summary: 'Get a workflow with its draft',
  access: 'builder',
  needs: 'read',
  params: WorkflowPathParams,
  success: { status: 200, description: 'The workflow.', body: BuilderWorkflow },
  errors: ['workflow_not_found'],
})

export const updateWorkflowForBuilder = defineOperation({
  id: 'updateWorkflow',
  method: 'PUT',
  path: WORKFLOW_PATH,
  tag,
  summary: 'Change a workflow',
  description:
    'Changes the fields in the body. A draft needs the `draftRevision` that it is based on; the operator may omit it.',
  access: 'builder',
  needs: 'build',
  params: WorkflowPathParams,
  body: UpdateWorkflowBody,
  success: { status: 200, description: 'The workflow.', body: BuilderWorkflow },
  errors: ['validation_error', 'workflow_not_found', 'draft_conflict'],
})

export const deleteWorkflowForBuilder = defineOperation({
  id: 'deleteWorkflow',
  method: 'DELETE',
  path: WORKFLOW_PATH,
  tag,
  summary: 'Delete a workflow',
  description: 'Runs in flight finish on their version. `undelete` brings it back.',
  access: 'builder',
  needs: 'build',
  params: WorkflowPathParams,
  success: { status: 204, description: 'The workflow was deleted.', body: Type.Null() },
  errors: ['workflow_not_found'],
})

export const undeleteWorkflowForBuilder = defineOperation({
  id: 'undeleteWorkflow',
  method: 'POST',
  path: `${WORKFLOW_PATH}/undelete`,
  tag,
  summary: 'Bring a deleted workflow back',
  description:
    'It has its draft and its versions, and is not published. No effect on a workflow that is not deleted.',
  access: 'builder',
  needs: 'build',
  params: WorkflowPathParams,
  success: { status: 200, description: 'The workflow.', body: Workflow },
  errors: ['workflow_not_found'],
})
