import { Type } from 'typebox'
import { defineOperation } from '../../operation/operation.ts'
import { WorkflowSchedule } from '../../workflows/definition/schedule.ts'
import { WORKFLOW_PATH, WorkflowPathParams } from '../operation/workflow-path.ts'

export const listSchedulesForBuilder = defineOperation({
  id: 'listSchedules',
  method: 'GET',
  path: `${WORKFLOW_PATH}/schedules`,
  tag: 'Triggers',
  summary: 'List the schedules of a workflow with their fires',
  access: 'builder',
  needs: 'read',
  params: WorkflowPathParams,
  success: {
    status: 200,
    description: 'Empty while the workflow is not published.',
    body: Type.Object({ schedules: Type.Array(WorkflowSchedule) }),
  },
  errors: ['workflow_not_found'],
})
