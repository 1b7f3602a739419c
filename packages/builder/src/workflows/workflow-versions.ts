import type { DescribeVersionBody, WorkflowVersionGraph } from '@troupe/builder-contract'
import { isUuid, type Workflow, type WorkflowVersion } from '@troupe/contract'
import type { Database, Readers } from '@troupe/database'
import { findWorkflow } from '@troupe/operations/workflows/find-workflow'
import { presentWorkflowVersion } from '@troupe/operations/workflows/present-workflow'
import { workflowVersionNotFound } from '@troupe/operations/workflows/workflow-errors'
import type { BuilderCaller } from '../access/builder-caller.ts'

/** The ids in the path of a version, unchecked. */
export interface VersionPath {
  workflowId: string
  versionId: string
}

/** @throws DomainError `workflow_not_found` or `version_not_found` */
export async function getWorkflowVersion(
  read: Pick<Readers, 'workflows'>,
  caller: BuilderCaller,
  path: VersionPath,
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
  path: VersionPath,
  words: DescribeVersionBody,
): Promise<WorkflowVersion> {
  const { organizationId, actor } = caller
  return database.transaction(async ({ read, write }) => {
    const { version, active } = await findVersion(read, caller, path)
    const { id: versionId, workflowId: id, projectId, label, note } = version
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
        before: { number: version.n, label, note },
        after: { number: version.n, ...after },
      })
    }
    return presentWorkflowVersion({ ...version, ...after }, active)
  })
}

async function findVersion(
  { workflows }: Pick<Readers, 'workflows'>,
  caller: BuilderCaller,
  { workflowId, versionId }: VersionPath,
) {
  const { organizationId } = caller
  const workflow = await findWorkflow((...of) => workflows.byId(...of), caller, workflowId)
  const version = isUuid(versionId) ? await workflows.versionById(organizationId, versionId) : null
  if (version?.workflowId !== workflow.id) throw workflowVersionNotFound()
  return { version, active: workflow.activeDeployment?.versionId ?? null }
}
