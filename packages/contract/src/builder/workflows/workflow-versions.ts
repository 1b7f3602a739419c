import { type Static, Type } from 'typebox'
import { defineOperation } from '../../operation/operation.ts'
import { Nullable } from '../../schema/nullable.ts'
import { Page, pageQuery } from '../../schema/page.ts'
import { VersionLabel, VersionNote, Workflow, WorkflowVersion } from '../../workflows/definition/workflow.ts'
import { WORKFLOW_PATH, WorkflowPathParams, WorkflowVersionParams } from '../operation/workflow-path.ts'
import { draftRevision } from './save-draft.ts'

const path = `${WORKFLOW_PATH}/versions` as const
const onePath = `${path}/{versionId}` as const
const common = { tag: 'Workflows', access: 'builder', params: WorkflowVersionParams } as const

export const listWorkflowVersionsForBuilder = defineOperation({
  ...common,
  id: 'listWorkflowVersions',
  method: 'GET',
  path,
  summary: 'List the published versions of a workflow',
  needs: 'read',
  params: WorkflowPathParams,
  query: Type.Object(pageQuery),
  success: { status: 200, description: 'One page, newest first.', body: Page(WorkflowVersion) },
  errors: ['validation_error', 'workflow_not_found'],
})

/** A version with its graph. */
export const WorkflowVersionGraph = Type.Object({
  ...WorkflowVersion.properties,
  number: Nullable(
    Type.Integer({ description: 'Counts from 1 within the workflow; null: a draft that was tested.' }),
  ),
  graph: Workflow.properties.draft,
})
export type WorkflowVersionGraph = Static<typeof WorkflowVersionGraph>

export const getWorkflowVersionForBuilder = defineOperation({
  ...common,
  id: 'getWorkflowVersion',
  method: 'GET',
  path: onePath,
  summary: 'Get a version with its graph',
  needs: 'read',
  success: { status: 200, description: 'The version.', body: WorkflowVersionGraph },
  errors: ['workflow_not_found', 'version_not_found'],
})

/** Label and note of a version; absent ones are unchanged. */
export const DescribeVersionBody = Type.Object({
  label: Type.Optional(VersionLabel),
  note: Type.Optional(VersionNote),
})
export type DescribeVersionBody = Static<typeof DescribeVersionBody>

export const describeWorkflowVersionForBuilder = defineOperation({
  ...common,
  id: 'describeWorkflowVersion',
  method: 'PUT',
  path: onePath,
  summary: 'Write the label and the note of a version',
  needs: 'build',
  body: DescribeVersionBody,
  success: { status: 200, description: 'The version.', body: WorkflowVersion },
  errors: ['validation_error', 'workflow_not_found', 'version_not_found'],
})

export const restoreWorkflowVersionForBuilder = defineOperation({
  ...common,
  id: 'restoreWorkflowVersion',
  method: 'POST',
  path: `${onePath}/restore`,
  summary: 'Make the graph of a version the draft',
  description: 'The published version is unchanged.',
  needs: 'build',
  body: Type.Object({ draftRevision }),
  bodyOptional: true,
  success: { status: 200, description: 'The workflow with its new draft.', body: Workflow },
  errors: ['validation_error', 'workflow_not_found', 'version_not_found', 'draft_conflict'],
})
