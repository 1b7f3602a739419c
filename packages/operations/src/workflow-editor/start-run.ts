import {
  type AcceptedWorkflowRun,
  DomainError,
  type IdText,
  invalidField,
  type WorkflowId,
  type WorkflowVersionId,
} from '@troupe/contract'
import type { Readers, WorkflowRecord } from '@troupe/storage'
import type { WorkflowRunner } from '@troupe/workflows'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { withCurrentVersion } from '../workflow-runs/with-current-version.ts'
import { findWorkflow } from '../workflows/find-workflow.ts'
import type { WorkflowGraphs } from '../workflows/workflow-graphs.ts'

/** Dependencies of the operation. */
export interface StartWorkflowParts {
  database: { read: Pick<Readers, 'workflows'> }
  graphs: Pick<WorkflowGraphs, 'compiled'>
  runner: Pick<WorkflowRunner, 'start'>
  /** Milliseconds since the epoch. */
  now: () => number
}

/**
 * Starts a run of the published version as a person. The trigger is validated against the started version.
 *
 * @throws DomainError `workflow_not_found`, `workflow_not_published`, `validation_error` for a node that is not a trigger,
 * `concurrency_limit_reached`, `execution_create_failed`
 */
export async function startWorkflowRun(
  { database, graphs, runner, now }: StartWorkflowParts,
  caller: BuilderCaller,
  workflowId: IdText<WorkflowId>,
  { triggerNodeId, payload = {} }: { triggerNodeId?: string; payload?: unknown },
): Promise<AcceptedWorkflowRun> {
  const { workflows } = database.read
  const createdAt = now()
  const published = () => findWorkflow(workflows.byId, caller, workflowId)
  return withCurrentVersion(await published(), published, async ({ id, activeDeployment }) => {
    const versionId = publishedVersion(activeDeployment)
    const graph = await graphs.compiled(caller.organizationId, versionId)
    if (triggerNodeId !== undefined && !graph?.triggers.some((node) => node.id === triggerNodeId)) {
      throw invalidField('triggerNodeId', 'is not a trigger of the published version')
    }
    const { runId } = await runner.start({
      scope: caller,
      workflowId: id,
      versionId,
      source: 'builder',
      firedNodeId: triggerNodeId ?? null,
      scheduledFor: null,
      input: payload,
      apiKeyId: null,
      startedByUserId: caller.userId,
      idempotency: null,
      createdAt,
    })
    return { executionId: runId, workflowId: id, status: 'queued', createdAt: Math.floor(createdAt / 1000) }
  })
}

/**
 * The published version.
 *
 * @throws DomainError `workflow_not_published`
 */
export function publishedVersion(deployment: WorkflowRecord['activeDeployment']): WorkflowVersionId {
  if (deployment) return deployment.versionId
  throw new DomainError(
    'workflow_not_published',
    'The workflow has no active deployment. Publish it to run it.',
  )
}
