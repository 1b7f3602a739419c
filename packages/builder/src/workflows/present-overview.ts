import type { WorkflowOverviewItem } from '@troupe/builder-contract'
import type { WorkflowOverview } from '@troupe/database'
import { presentWorkflowSummary } from '@troupe/operations/workflows/present-workflow'

const DAY_MS = 24 * 60 * 60_000

/** From when the runs of an overview are counted; `now` in milliseconds since the epoch. */
export function countedFrom(now: number): Date {
  return new Date(now - DAY_MS)
}

/** A workflow in a list. */
export function presentOverview(overview: WorkflowOverview): WorkflowOverviewItem {
  const { slug, projectName, publishedNumber, isDraftPublished, updatedBy } = overview
  const { triggers, nextFireAt, lastRunAt, runs, lastFailure } = overview
  return {
    ...presentWorkflowSummary(overview),
    slug,
    projectName,
    publishedNumber,
    isDraftPublished,
    triggers: [...new Set(triggers)],
    nextFireAt: nextFireAt === null ? null : new Date(nextFireAt).toISOString(),
    lastRunAt: lastRunAt === null ? null : seconds(lastRunAt),
    runs24h: { ok: runs.completed, failed: runs.failed },
    lastFailure: lastFailure && {
      executionId: lastFailure.runId,
      error: lastFailure.error,
      createdAt: seconds(lastFailure.at),
    },
    updatedBy,
  }
}

function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000)
}
