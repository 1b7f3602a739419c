import {
  type IdText,
  parseId,
  type Workflow,
  type WorkflowId,
  type WorkflowVersion,
  WorkflowVersionId,
} from '@troupe/contract'
import type { DescribeVersionBody, WorkflowVersionGraph } from '@troupe/contract/builder'
import type { Database, Readers } from '@troupe/storage'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { findWorkflow } from '../workflows/find-workflow.ts'
import { presentWorkflowVersion } from '../workflows/present-workflow.ts'
import { workflowVersionNotFound } from '../workflows/workflow-errors.ts'

/** The ids in the path of a version, unchecked. */
export interface WorkflowVersionPath {
  workflowId: IdText<WorkflowId>
  versionId: IdText<WorkflowVersionId>
}

/** @throws DomainError `workflow_not_found` or `version_not_found` */
export async function getWorkflowVersion(
  read: Pick<Readers, 'workflows' | 'builder'>,
  caller: BuilderCaller,
  path: WorkflowVersionPath,
): Promise<WorkflowVersionGraph> {
  const { version, active } = await findVersion(read, caller, path)
  return { ...presentWorkflowVersion(version, active), graph: version.graph as Workflow['draft'] }
}

/**
 * Writes the label and the note of a version; the graph never changes.
 *
 * @throws DomainError `workflow_not_found` or `version_not_found`
 */
export async function describeWorkflowVersion(
  { database }: { database: Pick<Database, 'transaction'> },
  caller: BuilderCaller,
  path: WorkflowVersionPath,
  words: DescribeVersionBody,
): Promise<WorkflowVersion> {
  const { organizationId, actor } = caller
  return database.transaction(async ({ read, write }) => {
    const { version, active, projectId } = await findVersion(read, caller, path)
    const { id: versionId, workflowId: id, n: number, label, note } = version
    if (number === null) throw workflowVersionNotFound()
    const after = { label, note, ...words }
    if (after.label !== label || after.note !== note) {
      await write.workflows.describeVersion({ organizationId, id, versionId, ...words })
      await write.audit.append({
        organizationId,
        projectId,
        actor,
        action: 'workflow.version_described',
        entityKind: 'workflow',
        entityId: id,
        before: { number, label, note },
        after: { number, ...after },
      })
    }
    return presentWorkflowVersion({ ...version, n: number, ...after }, active)
  })
}

async function findVersion(
  { workflows, builder }: Pick<Readers, 'workflows' | 'builder'>,
  caller: BuilderCaller,
  { workflowId, versionId }: WorkflowVersionPath,
) {
  const { id, projectId, activeDeployment } = await findWorkflow(workflows.byId, caller, workflowId)
  const key = parseId(WorkflowVersionId, versionId)
  const version = key && (await builder.workflowVersions.byId(caller.organizationId, id, key))
  if (!version) throw workflowVersionNotFound()
  return { version, projectId, active: activeDeployment?.versionId ?? null }
}
