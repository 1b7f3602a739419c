import type {
  OrganizationId,
  ProjectId,
  WorkflowDeploymentId,
  WorkflowId,
  WorkflowVersionId,
} from '@troupe/contract'
import { eq } from 'drizzle-orm'
import type { Actor, WorkflowRecord, WorkflowSummaryRecord, WorkflowVersionRecord } from '../records.ts'
import { workflowDeployments, workflows, workflowVersions } from '../schema/workflows.ts'
import type { Drizzle } from '../sql/drizzle.ts'

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

/** The columns of a version joined with its workflow, without the graph. */
export const workflowVersionColumns = {
  id: workflowVersions.id,
  organizationId: workflowVersions.organizationId,
  projectId: workflows.projectId,
  workflowId: workflowVersions.workflowId,
  n: workflowVersions.n,
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

interface VersionRow extends Pick<typeof workflowVersions.$inferSelect, 'id' | 'n' | 'createdAt'> {
  organizationId: string
  projectId: string | null
  workflowId: string
  createdByKind: string
  createdById: string | null
}

/** A row as callers see it. */
export function toWorkflowSummary(row: SummaryRow): WorkflowSummaryRecord {
  const { deploymentId, deployedVersionId, publishedAt, ...workflow } = row
  return {
    ...workflow,
    id: row.id as WorkflowId,
    organizationId: row.organizationId as OrganizationId,
    projectId: row.projectId as ProjectId | null,
    activeDeployment:
      deploymentId === null || deployedVersionId === null || publishedAt === null
        ? null
        : {
            id: deploymentId as WorkflowDeploymentId,
            versionId: deployedVersionId as WorkflowVersionId,
            publishedAt,
          },
  }
}

/** A row as callers see it. */
export function toWorkflowRecord({ draft, ...row }: RecordRow): WorkflowRecord {
  return { ...toWorkflowSummary(row), draft }
}

/** A row as callers see it. */
export function toWorkflowVersionRecord(row: VersionRow): WorkflowVersionRecord {
  return {
    id: row.id as WorkflowVersionId,
    organizationId: row.organizationId as OrganizationId,
    projectId: row.projectId as ProjectId | null,
    workflowId: row.workflowId as WorkflowId,
    n: row.n,
    createdBy: { kind: row.createdByKind as Actor['kind'], id: row.createdById },
    createdAt: row.createdAt,
  }
}
