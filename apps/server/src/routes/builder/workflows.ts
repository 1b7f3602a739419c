import {
  type ChangeWorkflowsParts,
  createBuilderWorkflow,
  updateBuilderWorkflow,
} from '@troupe/builder/workflows/change-workflows'
import { getBuilderWorkflow, listOverviews } from '@troupe/builder/workflows/read-workflows'
import { describeWorkflowVersion, getWorkflowVersion } from '@troupe/builder/workflows/workflow-versions'
import { BUILDER_OPERATIONS } from '@troupe/builder-contract'
import { deleteWorkflow } from '@troupe/operations/publishing/delete-workflow'
import { publishWorkflow } from '@troupe/operations/publishing/publish-workflow'
import { unpublishWorkflow } from '@troupe/operations/publishing/unpublish-workflow'
import { listWorkflowVersions } from '@troupe/operations/workflows/list-workflow-versions'
import { restoreWorkflowVersion } from '@troupe/operations/workflows/restore-workflow-version'
import type { PublishParts } from '@troupe/operations/workflows/trigger-publisher'
import { validateWorkflow } from '@troupe/operations/workflows/validate-workflow'
import { registerOperation } from '../../http/operation.ts'
import type { App } from '../../http/server-types.ts'
import type { Context } from '../../wiring/context.ts'

/** Dependencies of the routes. */
export type WorkflowsContext = Pick<
  Context,
  'database' | 'configChanges' | 'secretBox' | 'passwords' | 'newId' | 'clock' | 'config'
>

/** Workflows, their drafts and their published versions. */
export function registerWorkflows(app: App, context: WorkflowsContext): void {
  const { database, configChanges, secretBox: box, passwords, newId, clock, config } = context
  const { read } = database
  const now = () => clock.now()
  const parts: ChangeWorkflowsParts & PublishParts = {
    ...{ database, read, configChanges, box, passwords, newId, now },
    publicUrl: config.publicUrl,
  }

  registerOperation(app, BUILDER_OPERATIONS.listWorkflows, ({ caller, query }) =>
    listOverviews(parts, caller, query),
  )
  registerOperation(app, BUILDER_OPERATIONS.createWorkflow, async ({ caller, body }, reply) => {
    const { value, created } = await createBuilderWorkflow(parts, caller, body)
    if (!created) reply.statusCode = 200
    return value
  })
  registerOperation(app, BUILDER_OPERATIONS.getWorkflow, ({ caller, params }) =>
    getBuilderWorkflow(parts, caller, params.workflowId),
  )
  registerOperation(app, BUILDER_OPERATIONS.updateWorkflow, ({ caller, params, body }) =>
    updateBuilderWorkflow(parts, caller, params.workflowId, body),
  )
  registerOperation(app, BUILDER_OPERATIONS.deleteWorkflow, async ({ caller, params }) => {
    await deleteWorkflow(parts, caller, caller.actor, params.workflowId)
    return null
  })
  registerOperation(app, BUILDER_OPERATIONS.validateWorkflow, async ({ caller, params, body }) => ({
    findings: await validateWorkflow(read, caller, params.workflowId, body.graph),
  }))
  registerOperation(app, BUILDER_OPERATIONS.publishWorkflow, ({ caller, params, body }) =>
    publishWorkflow(parts, caller, caller.actor, params.workflowId, body),
  )
  registerOperation(app, BUILDER_OPERATIONS.unpublishWorkflow, ({ caller, params }) =>
    unpublishWorkflow(parts, caller, caller.actor, params.workflowId),
  )
  registerOperation(app, BUILDER_OPERATIONS.listWorkflowVersions, ({ caller, params, query }) =>
    listWorkflowVersions(read, caller, params.workflowId, query),
  )
  registerOperation(app, BUILDER_OPERATIONS.getWorkflowVersion, ({ caller, params }) =>
    getWorkflowVersion(read, caller, params),
  )
  registerOperation(app, BUILDER_OPERATIONS.describeWorkflowVersion, ({ caller, params, body }) =>
    describeWorkflowVersion(parts, caller, params, body),
  )
  registerOperation(app, BUILDER_OPERATIONS.restoreWorkflowVersion, ({ caller, params }) =>
    restoreWorkflowVersion(parts, caller, caller.actor, params),
  )
}
