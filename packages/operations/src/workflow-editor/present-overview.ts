import type { WorkflowOverviewItem } from '@troupe/contract/builder'
import type { WorkflowRow } from '@troupe/storage'

/** A workflow in a list. */
export function presentOverview(row: WorkflowRow): WorkflowOverviewItem {
  const { deploymentId, deployedVersionId: versionId, publishedAt, lastFailure } = row
  const { projectId, projectName, slug, name, description, draftRevision, versionNumber } = row
  const { publishedNumber, isDraftPublished, triggers, nextFireAt, lastRunAt, updatedBy } = row
  return {
    workflowId: row.id,
    projectId,
    projectName,
    slug,
    name,
    description,
    draftRevision,
    deployment:
      deploymentId === null || versionId === null || publishedAt === null
        ? null
        : { deploymentId, versionId, publishedAt: publishedAt.toISOString() },
    versionNumber,
    publishedNumber,
    isDraftPublished,
    triggers: [...new Set(triggers)],
    nextFireAt: nextFireAt?.toISOString() ?? null,
    lastRunAt: lastRunAt && seconds(lastRunAt.getTime()),
    runs24h: { ok: row.completed, failed: row.failed },
    runs7d: row.week,
    lastFailure: lastFailure && {
      executionId: lastFailure.runId,
      error: lastFailure.error,
      createdAt: seconds(lastFailure.atMs),
    },
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    updatedBy,
  }
}

function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000)
}
