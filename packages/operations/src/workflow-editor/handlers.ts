import { DomainError, roleHas } from '@troupe/contract'
import { BUILDER_OPERATIONS } from '@troupe/contract/builder'
import { MAX_GRAPH_BYTES } from '@troupe/graph'
import { type PreviewFormParts, previewForm } from '../forms/preview-form.ts'
import { type BuilderHandler, handler } from '../handlers/handler.ts'
import { configurationQuery, pageOf } from '../handlers/list-page.ts'
import { listPins, type PinParts, removePin, setPin } from '../pins/pins.ts'
import { deleteWorkflow } from '../publishing/delete-workflow.ts'
import { type PublishWorkflowParts, publishWorkflow } from '../publishing/publish-workflow.ts'
import { undeleteWorkflow } from '../publishing/undelete-workflow.ts'
import { unpublishWorkflow } from '../publishing/unpublish-workflow.ts'
import {
  type ChangeTestCaseParts,
  createTestCase,
  deleteTestCase,
  updateTestCase,
} from '../test-cases/change-test-cases.ts'
import { getTestCase, listTestCases } from '../test-cases/read-test-cases.ts'
import { runTestCase } from '../test-cases/run-test-case.ts'
import { settleTestCases } from '../test-cases/settle-test-cases.ts'
import { planTestRun } from '../test-runs/plan-test-run.ts'
import { type StartTestParts, startTestRun } from '../test-runs/start-test-run.ts'
import { requireRevision } from '../workflows/draft-revision.ts'
import { findWorkflow } from '../workflows/find-workflow.ts'
import { KeptDrafts } from '../workflows/kept-drafts.ts'
import { listWorkflowVersions } from '../workflows/list-workflow-versions.ts'
import { restoreWorkflowVersion } from '../workflows/restore-workflow-version.ts'
import { saveDraftChanges } from '../workflows/save-draft-changes.ts'
import { updateWorkflow } from '../workflows/update-workflow.ts'
import { validateWorkflow } from '../workflows/validate-workflow.ts'
import { createBuilderWorkflow, type NewWorkflowParts } from './create-workflow.ts'
import { listDraftChanges } from './draft-changes.ts'
import { getDraftRevision, keepDraftState, listTimeline } from './draft-history.ts'
import { getWorkflow } from './get-workflow.ts'
import { presentOverview } from './present-overview.ts'
import { type PreviewPublishParts, previewPublish } from './preview-publish.ts'
import { type SharePresenceParts, sharePresence } from './share-presence.ts'
import { type StartWorkflowParts, startWorkflowRun } from './start-run.ts'
import { describeWorkflowVersion, getWorkflowVersion } from './workflow-versions.ts'

/** The maximum size of a graph plus its envelope. */
const withGraph = { maxBodyBytes: MAX_GRAPH_BYTES + 1024 * 1024 }

/** The maximum size of a payload, 1 MB, plus its envelope. */
const withPayload = { maxBodyBytes: 2 * 1024 * 1024 }

/** Workflows, their drafts and their published versions. */
export function workflowHandlers(
  parts: NewWorkflowParts &
    PublishWorkflowParts &
    PreviewPublishParts &
    StartWorkflowParts &
    StartTestParts &
    ChangeTestCaseParts &
    PinParts &
    PreviewFormParts &
    SharePresenceParts,
): BuilderHandler[] {
  const op = BUILDER_OPERATIONS
  const { read } = parts.database
  const drafts = new KeptDrafts()
  return [
    handler(op.listWorkflows, async ({ caller, query }) =>
      pageOf(
        query,
        await read.builder.workflows.page(caller.organizationId, configurationQuery(query)),
        presentOverview,
      ),
    ),
    handler(op.createWorkflow, ({ caller, body }) => createBuilderWorkflow(parts, caller, body), withGraph),
    handler(op.getWorkflow, ({ caller, params }) => getWorkflow(parts, read, caller, params.workflowId)),
    handler(
      op.updateWorkflow,
      async ({ caller, params: { workflowId }, body }) => {
        await updateWorkflow(parts, caller, caller.actor, workflowId, body)
        return getWorkflow(parts, read, caller, workflowId)
      },
      withGraph,
    ),
    handler(
      op.saveWorkflowDraft,
      ({ caller, params: { workflowId }, body }) =>
        saveDraftChanges({ ...parts, drafts }, caller, caller.actor, workflowId, body),
      withGraph,
    ),
    handler(op.listDraftChanges, ({ caller, params, query }) =>
      listDraftChanges(read, caller, { ...params, ...query }),
    ),
    handler(op.listWorkflowTimeline, ({ caller, params, query }) =>
      listTimeline(read, caller, params.workflowId, query),
    ),
    handler(op.getDraftRevision, ({ caller, params }) => getDraftRevision(read, caller, params)),
    handler(op.keepDraft, ({ caller, params, body }) =>
      keepDraftState(parts, caller, params.workflowId, body),
    ),
    handler(op.sharePresence, ({ caller, params, body }) =>
      sharePresence(parts, caller, params.workflowId, body),
    ),
    handler(op.deleteWorkflow, async ({ caller, params }) => {
      await deleteWorkflow(parts, caller, caller.actor, params.workflowId)
      return null
    }),
    handler(op.undeleteWorkflow, ({ caller, params }) =>
      undeleteWorkflow(parts, caller, caller.actor, params.workflowId),
    ),
    handler(
      op.validateWorkflow,
      async ({ caller, params, body }) => ({
        findings: await validateWorkflow(read, caller, params.workflowId, body.graph),
      }),
      withGraph,
    ),
    handler(op.previewForm, ({ caller, params, body }) =>
      previewForm(parts, caller, params.workflowId, body.config),
    ),
    handler(op.previewPublish, ({ caller, params }) => previewPublish(parts, caller, params.workflowId)),
    handler(op.publishWorkflow, async ({ caller, params, body }) => {
      requireRevision(caller.actor, body?.draftRevision)
      if (body?.ignoreTests && !roleHas(caller.role, 'manage')) {
        throw new DomainError(
          'forbidden',
          'Only owners and admins publish a draft whose blocking tests have not passed.',
        )
      }
      const { id } = await findWorkflow(read.workflows.byId, caller, params.workflowId)
      await settleTestCases(parts, caller.organizationId, id)
      return publishWorkflow(parts, caller, caller.actor, params.workflowId, body)
    }),
    handler(op.unpublishWorkflow, ({ caller, params }) =>
      unpublishWorkflow(parts, caller, caller.actor, params.workflowId),
    ),
    handler(op.startWorkflowRun, ({ caller, params, body }) =>
      startWorkflowRun(parts, caller, params.workflowId, body),
    ),
    handler(
      op.planTestRun,
      ({ caller, params, body }) => planTestRun(parts, caller, params.workflowId, body),
      withGraph,
    ),
    handler(
      op.startTestRun,
      ({ caller, params, body }) => startTestRun(parts, caller, params.workflowId, body),
      withGraph,
    ),
    handler(op.listPins, ({ caller, params }) => listPins(parts, caller, params.workflowId)),
    handler(op.setPin, ({ caller, params, body }) => setPin(parts, caller, params, body), withPayload),
    handler(op.removePin, ({ caller, params }) => removePin(parts, caller, params)),
    handler(op.listTestCases, ({ caller, params }) => listTestCases(parts, caller, params.workflowId)),
    handler(op.getTestCase, ({ caller, params }) => getTestCase(parts, caller, params)),
    handler(op.createTestCase, ({ caller, params, body }) =>
      createTestCase(parts, caller, params.workflowId, body),
    ),
    handler(
      op.updateTestCase,
      ({ caller, params, body }) => updateTestCase(parts, caller, params, body),
      withPayload,
    ),
    handler(op.deleteTestCase, ({ caller, params }) => deleteTestCase(parts, caller, params)),
    handler(op.runTestCase, ({ caller, params, body }) =>
      runTestCase(parts, caller, params, body.draftRevision),
    ),
    handler(op.listWorkflowVersions, ({ caller, params, query }) =>
      listWorkflowVersions(read, caller, params.workflowId, query),
    ),
    handler(op.getWorkflowVersion, ({ caller, params }) => getWorkflowVersion(read, caller, params)),
    handler(op.describeWorkflowVersion, ({ caller, params, body }) =>
      describeWorkflowVersion(parts, caller, params, body),
    ),
    handler(op.restoreWorkflowVersion, ({ caller, params, body }) =>
      restoreWorkflowVersion(parts, caller, caller.actor, params, body),
    ),
  ]
}
