import type { Scope } from '@troupe/agents/ports'
import {
  ENDED_STATUSES,
  IN_FLIGHT_STATUSES,
  type WorkflowRunFilter,
  type WorkflowRunPage,
  type WorkflowRunStatus,
  type WorkflowRunStore,
  type WorkflowRunSummary,
} from '@troupe/workflows/ports'
import type { SqlClient } from '../sql/sql-client.ts'
import { type Placeholders, statement } from '../sql/statement.ts'
import { IN_FLIGHT, STATUS_REASON } from './run-rows.ts'

const STATUSES: readonly WorkflowRunStatus[] = [...IN_FLIGHT_STATUSES, ...ENDED_STATUSES]

const COLUMNS = `id as "runId", workflow_id as "workflowId", version_id as "versionId", source, status,
  ${STATUS_REASON} as "statusReason", error, created_at as "createdAt", started_at as "startedAt",
  completed_at as "completedAt"`

type ListParameter = keyof Scope | 'workflowId' | 'behindCreatedAt' | 'behindRunId' | 'limit' | 'wanted'

// Newest first, after the last run of the previous page; the first page uses a cursor beyond every run.
const behind = (p: Placeholders<ListParameter>) =>
  `(created_at, id) < (${p.behindCreatedAt}::timestamptz, ${p.behindRunId}::uuid)`
const newest = (p: Placeholders<ListParameter>) => `order by created_at desc, id desc limit ${p.limit}::int`

/**
 * Each query text has a matching index: a page reads at most its own size for every part that it merges,
 * regardless of the total number of runs.
 */
function ofOrganization(name: string, where: (wanted: string) => string) {
  return statement<ListParameter>(
    name,
    (p) => `
select ${COLUMNS} from workflow_runs
where organization_id = ${p.organizationId}::uuid and ${p.projectId}::uuid is null and ${p.workflowId}::uuid is null
  and ${behind(p)} and ${where(p.wanted)}
${newest(p)}`,
  )
}

const EVERY = ofOrganization('list_workflow_runs', (wanted) => `${wanted}::text is null`)
const RUNS_IN_FLIGHT = ofOrganization(
  'list_workflow_runs_in_flight',
  (wanted) => `${IN_FLIGHT} and status = ${wanted}`,
)
const RUNS_ENDED = ofOrganization(
  'list_ended_workflow_runs',
  (wanted) => `completed_at is not null and status = ${wanted}`,
)

/** For one workflow or all workflows of a project: merges the newest runs of each status of each workflow. */
const OF_WORKFLOWS = statement<ListParameter>(
  'list_runs_of_workflows',
  (p) => `
select newest.* from workflows w, json_array_elements_text(${p.wanted}::json) as wanted (status), lateral (
  select ${COLUMNS} from workflow_runs r
  where r.workflow_id = w.id and r.status = wanted.status and r.organization_id = ${p.organizationId}::uuid
    and (${p.projectId}::uuid is null or r.project_id = ${p.projectId}::uuid) and ${behind(p)}
  ${newest(p)}
) newest
where w.organization_id = ${p.organizationId}::uuid and (${p.projectId}::uuid is null or w.project_id = ${p.projectId}::uuid)
  and (${p.workflowId}::uuid is null or w.id = ${p.workflowId}::uuid)
order by "createdAt" desc, "runId" desc limit ${p.limit}::int`,
)

type Moments = 'createdAt' | 'startedAt' | 'completedAt'
type Row = Omit<WorkflowRunSummary, Moments> & {
  createdAt: Date
  startedAt: Date | null
  completedAt: Date | null
}

function statementOf({ projectId }: Scope, { workflowId, status }: WorkflowRunFilter) {
  if (projectId !== null || workflowId !== undefined) {
    return { list: OF_WORKFLOWS, wanted: JSON.stringify(status ? [status] : STATUSES) }
  }
  if (status === undefined) return { list: EVERY, wanted: null }
  const isEnded = ENDED_STATUSES.some((ended) => ended === status)
  return { list: isEnded ? RUNS_ENDED : RUNS_IN_FLIGHT, wanted: status }
}

export function listRuns(client: SqlClient): WorkflowRunStore['list'] {
  return async (scope, filter, { limit, after }): Promise<WorkflowRunPage> => {
    const { list, wanted } = statementOf(scope, filter)
    // One extra row shows whether another page follows.
    const rows = await client.query<Row>(
      ...list({
        ...scope,
        workflowId: filter.workflowId ?? null,
        behindCreatedAt: after ? new Date(after.createdAt).toISOString() : 'infinity',
        behindRunId: after?.runId ?? 'ffffffff-ffff-ffff-ffff-ffffffffffff',
        limit: limit + 1,
        wanted,
      }),
    )
    const runs = rows.slice(0, limit).map(({ createdAt, startedAt, completedAt, ...run }) => ({
      ...run,
      createdAt: createdAt.getTime(),
      startedAt: startedAt?.getTime() ?? null,
      completedAt: completedAt?.getTime() ?? null,
    }))
    const last = runs.at(-1)
    const next = rows.length > limit && last ? { createdAt: last.createdAt, runId: last.runId } : null
    return { runs, next }
  }
}
