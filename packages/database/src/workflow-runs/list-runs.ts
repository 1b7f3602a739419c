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
import { IN_FLIGHT, STATUS_REASON } from './run-rows.ts'

const STATUSES: readonly WorkflowRunStatus[] = [...IN_FLIGHT_STATUSES, ...ENDED_STATUSES]

const COLUMNS = `id as "runId", workflow_id as "workflowId", version_id as "versionId", source, status,
  ${STATUS_REASON} as "statusReason", error, created_at as "createdAt", started_at as "startedAt",
  completed_at as "completedAt"`

// Newest first, behind the last run of the page before; $4 and $5 of the first page are beyond every run.
const BEHIND = '(created_at, id) < ($4::timestamptz, $5::uuid)'
const NEWEST = 'order by created_at desc, id desc limit $6::int'

/**
 * Each text has the index that serves it: a page reads as many rows as it shows for every part that it is put together
 * from, however many runs there are. $1 to $3 are organization, project and workflow.
 */
const OF_ORGANIZATION = {
  every: { name: 'list_workflow_runs', where: '$7::text is null' },
  inFlight: { name: 'list_workflow_runs_in_flight', where: `${IN_FLIGHT} and status = $7` },
  ended: { name: 'list_ended_workflow_runs', where: 'completed_at is not null and status = $7' },
}

function ofOrganization({ name, where }: { name: string; where: string }) {
  return {
    name,
    text: `
select ${COLUMNS} from workflow_runs
where organization_id = $1::uuid and $2::uuid is null and $3::uuid is null and ${BEHIND} and ${where}
${NEWEST}`,
  }
}

/** Of one workflow, or of those of a project: the newest of each status of each of them, put together. */
const OF_WORKFLOWS = {
  name: 'list_runs_of_workflows',
  text: `
select newest.* from workflows w, json_array_elements_text($7::json) as wanted (status), lateral (
  select ${COLUMNS} from workflow_runs r
  where r.workflow_id = w.id and r.status = wanted.status and r.organization_id = $1::uuid
    and ($2::uuid is null or r.project_id = $2::uuid) and ${BEHIND}
  ${NEWEST}
) newest
where w.organization_id = $1::uuid and ($2::uuid is null or w.project_id = $2::uuid)
  and ($3::uuid is null or w.id = $3::uuid)
order by "createdAt" desc, "runId" desc limit $6::int`,
}

type Moments = 'createdAt' | 'startedAt' | 'completedAt'
type Row = Omit<WorkflowRunSummary, Moments> & {
  createdAt: Date
  startedAt: Date | null
  completedAt: Date | null
}

function statementOf({ projectId }: Scope, { workflowId, status }: WorkflowRunFilter) {
  if (projectId !== null || workflowId !== undefined) {
    return { statement: OF_WORKFLOWS, wanted: JSON.stringify(status ? [status] : STATUSES) }
  }
  if (status === undefined) return { statement: ofOrganization(OF_ORGANIZATION.every), wanted: null }
  const isEnded = ENDED_STATUSES.some((ended) => ended === status)
  const texts = isEnded ? OF_ORGANIZATION.ended : OF_ORGANIZATION.inFlight
  return { statement: ofOrganization(texts), wanted: status }
}

const BEYOND = { createdAt: 'infinity', runId: 'ffffffff-ffff-ffff-ffff-ffffffffffff' }

export function listRuns(client: SqlClient): WorkflowRunStore['list'] {
  return async (scope, filter, { limit, after }): Promise<WorkflowRunPage> => {
    const { statement, wanted } = statementOf(scope, filter)
    const behind = after ? { ...after, createdAt: new Date(after.createdAt).toISOString() } : BEYOND
    // One more than is shown tells whether another page follows.
    const rows = await client.query<Row>(statement, [
      scope.organizationId,
      scope.projectId,
      filter.workflowId ?? null,
      behind.createdAt,
      behind.runId,
      limit + 1,
      wanted,
    ])
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
