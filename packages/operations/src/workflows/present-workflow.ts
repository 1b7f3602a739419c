import type { IdText, Workflow, WorkflowSummary, WorkflowVersion, WorkflowVersionId } from '@troupe/contract'
import type {
  WorkflowSummaryRecord as SummaryRecord,
  WorkflowRecord,
  WorkflowVersionRow,
} from '@troupe/storage'

/** A workflow in a list; times in ISO 8601 UTC. */
export function presentWorkflowSummary(record: SummaryRecord): WorkflowSummary {
  const { activeDeployment } = record
  return {
    workflowId: record.id,
    projectId: record.projectId,
    name: record.name,
    description: record.description,
    draftRevision: record.draftRevision,
    deployment: activeDeployment && {
      deploymentId: activeDeployment.id,
      versionId: activeDeployment.versionId,
      publishedAt: activeDeployment.publishedAt.toISOString(),
    },
    versionNumber: record.versionNumber,
    createdAt: record.createdAt.toISOString(),
    updatedAt: record.updatedAt.toISOString(),
  }
}

/** A workflow as callers see it; times in ISO 8601 UTC. */
export function presentWorkflow(record: WorkflowRecord): Workflow {
  return { ...presentWorkflowSummary(record), draft: record.draft as Workflow['draft'] }
}

/** A version as callers see it. `activeVersionId`: the published version; null if there is none. */
export function presentWorkflowVersion<N extends number | null>(
  record: WorkflowVersionRow & { n: N },
  activeVersionId: IdText<WorkflowVersionId> | null,
): Omit<WorkflowVersion, 'number'> & { number: N } {
  return {
    versionId: record.id,
    workflowId: record.workflowId,
    number: record.n,
    active: record.id === activeVersionId,
    label: record.label,
    note: record.note,
    createdBy: record.createdBy,
    createdAt: record.createdAt.toISOString(),
  }
}
