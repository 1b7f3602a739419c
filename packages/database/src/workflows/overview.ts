import type { ChangedBy, WorkflowRunId } from '@troupe/contract'
import { schedules } from '@troupe/tables/configuration/schedules'
import { workflowDeployments, workflows, workflowVersions } from '@troupe/tables/configuration/workflows'
import { workflowRuns } from '@troupe/tables/runs/workflow-runs'
import { auditLog } from '@troupe/tables/tenants/audit'
import { projects } from '@troupe/tables/tenants/projects'
import { ENDED_STATUSES, IN_FLIGHT_STATUSES } from '@troupe/workflows/ports'
import { eq, sql } from 'drizzle-orm'
import { actorName } from '../audit/actor-name.ts'
import type { Drizzle } from '../drizzle/drizzle.ts'
import { toWorkflowSummary, workflowSummaryColumns } from './columns.ts'
import type { WorkflowOverview } from './port.ts'

/** Runs that ended otherwise than their caller wanted. */
const FAILED = ['failed', 'loop_limit_reached', 'policy_blocked', 'concurrency_limit_reached']

const ofWorkflow = sql`r.organization_id = ${workflows.organizationId} and r.workflow_id = ${workflows.id}`

function quoted(statuses: readonly string[]) {
  return sql.raw(statuses.map((status) => `'${status}'`).join(', '))
}

/** One probe of the index for each status. */
const lastRunAt = sql<Date | null>`(
  select max(newest.created_at)
  from unnest(array[${quoted([...IN_FLIGHT_STATUSES, ...ENDED_STATUSES])}]) as s(status), lateral (
    select r.created_at from ${workflowRuns} r where ${ofWorkflow} and r.status = s.status
    order by r.created_at desc limit 1
  ) newest)`.mapWith(workflowRuns.createdAt)

const countedSince = (since: Date, statuses: readonly string[]) => sql<number>`(
  select count(*)::integer from ${workflowRuns} r
  where ${ofWorkflow} and r.status in (${quoted(statuses)}) and r.created_at >= ${since.toISOString()})`

const lastFailure = sql<{ runId: WorkflowRunId; error: string | null; at: number } | null>`(
  select json_build_object('runId', r.id, 'error', r.error,
    'at', floor(extract(epoch from r.created_at) * 1000)::bigint)
  from ${workflowRuns} r where ${ofWorkflow} and r.status = 'failed' order by r.created_at desc limit 1)`

/** The last change of the draft, the name or the description. */
const lastChange = sql<ChangedBy | null>`(
  select json_build_object('kind', ${sql.raw('a.actor_kind')}, 'id', ${sql.raw('a.actor_id')}, 'name', ${actorName(
    {
      organizationId: workflows.organizationId,
      kind: sql.raw('a.actor_kind'),
      id: sql.raw('a.actor_id'),
    },
  )})
  from ${auditLog} a
  where a.organization_id = ${workflows.organizationId} and a.entity_kind = 'workflow'
    and a.entity_id = ${workflows.id}::text
    and a.action in ('workflow.created', 'workflow.updated', 'workflow.restored')
  order by a.created_at desc, a.id desc limit 1)`

const nextFireAt = sql<Date | null>`(
  select min(s.next_fire_at) from ${schedules} s
  where s.organization_id = ${workflows.organizationId} and s.workflow_id = ${workflows.id})`.mapWith(
  schedules.nextFireAt,
)

/** A query of workflows with what a list shows beside each, in one statement. */
export function selectOverviews(db: Drizzle, since: Date) {
  return db
    .select({
      ...workflowSummaryColumns,
      projectName: projects.name,
      publishedNumber: workflowVersions.n,
      isDraftPublished: sql<boolean | null>`${workflows.draftHash} = ${workflowVersions.graphHash}`,
      triggers: sql<
        WorkflowOverview['triggers']
      >`to_json(coalesce(${workflowVersions.triggers}, ${workflows.draftTriggers}))`,
      nextFireAt,
      lastRunAt,
      completed: countedSince(since, ['completed']),
      failed: countedSince(since, FAILED),
      lastFailure,
      updatedBy: lastChange,
    })
    .from(workflows)
    .leftJoin(workflowDeployments, eq(workflowDeployments.id, workflows.activeDeploymentId))
    .leftJoin(workflowVersions, eq(workflowVersions.id, workflowDeployments.versionId))
    .leftJoin(projects, eq(projects.id, workflows.projectId))
    .$dynamic()
}

/** A row as callers see it. */
export function toWorkflowOverview(
  row: Awaited<ReturnType<typeof selectOverviews>>[number],
): WorkflowOverview {
  const { projectName, publishedNumber, isDraftPublished, triggers, nextFireAt, lastRunAt, ...rest } = row
  const { completed, failed, lastFailure, updatedBy, ...summary } = rest
  return {
    ...toWorkflowSummary(summary),
    projectName,
    publishedNumber,
    isDraftPublished: isDraftPublished === true,
    triggers,
    nextFireAt: nextFireAt?.getTime() ?? null,
    lastRunAt: lastRunAt?.getTime() ?? null,
    runs: { completed, failed },
    lastFailure,
    updatedBy,
  }
}
