import { eq, sql } from 'drizzle-orm'
import { number } from '../sql/client/columns.ts'
import { workflowDeployments, workflows, workflowVersions } from '../tables/configuration/workflows.ts'
import type { Drizzle } from '../tables/drizzle/drizzle.ts'
import { expression } from '../tables/drizzle/expression.ts'
import type { WorkflowRecord, WorkflowSummaryRecord, WorkflowVersionRecord } from './port.ts'

/** The columns of a workflow joined with its active deployment, without the draft. */
export const workflowSummaryColumns = {
  id: workflows.id,
  organizationId: workflows.organizationId,
  projectId: workflows.projectId,
  slug: workflows.slug,
  name: workflows.name,
  description: workflows.description,
  draftRevision: workflows.draftRevision,
  versionNumber: workflows.versionNumber,
  createdAt: workflows.createdAt,
  updatedAt: workflows.updatedAt,
  deploymentId: workflowDeployments.id,
  deployedVersionId: workflowDeployments.versionId,
  publishedAt: workflowDeployments.publishedAt,
}

/** The number of a version that is or was deployed; a tested draft has none. */
export const versionNumber = expression(number(), sql`${workflowVersions.n}`)

/** The columns of a numbered version joined with its workflow, without the graph. */
export const workflowVersionColumns = {
  id: workflowVersions.id,
  organizationId: workflowVersions.organizationId,
  projectId: workflows.projectId,
  workflowId: workflowVersions.workflowId,
  n: versionNumber,
  createdByKind: workflowVersions.createdByKind,
  createdById: workflowVersions.createdById,
  createdAt: workflowVersions.createdAt,
}

/** A query of workflows with their drafts. */
export function selectWorkflows(db: Drizzle) {
  return db
    .select({ ...workflowSummaryColumns, draft: workflows.draft })
    .from(workflows)
    .leftJoin(workflowDeployments, eq(workflowDeployments.id, workflows.activeDeploymentId))
    .$dynamic()
}

type RecordRow = Awaited<ReturnType<typeof selectWorkflows>>[number]
type SummaryRow = Omit<RecordRow, 'draft'>

type VersionRow = { n: number } & Pick<typeof workflows.$inferSelect, 'projectId'> &
  Pick<typeof workflowVersions.$inferSelect, Exclude<keyof typeof workflowVersionColumns, 'projectId' | 'n'>>

export function toWorkflowSummary(row: SummaryRow): WorkflowSummaryRecord {
  const { deploymentId, deployedVersionId, publishedAt, ...workflow } = row
  return {
    ...workflow,
    activeDeployment:
      deploymentId === null || deployedVersionId === null || publishedAt === null
        ? null
        : { id: deploymentId, versionId: deployedVersionId, publishedAt },
  }
}

export function toWorkflowRecord({ draft, ...row }: RecordRow): WorkflowRecord {
  return { ...toWorkflowSummary(row), draft }
}

export function toWorkflowVersionRecord({
  createdByKind,
  createdById,
  ...row
}: VersionRow): WorkflowVersionRecord {
  return { ...row, createdBy: { kind: createdByKind, id: createdById } }
}
