import type { WorkflowRunId } from '@troupe/contract'
import { IN_FLIGHT_STATUSES, type RunScope, type WorkflowRunStatus } from '@troupe/workflows/ports'
import { CHANNEL } from '../listen-notify/listeners.ts'
import { text } from '../sql/client/columns.ts'
import type { SqlClient } from '../sql/client/sql-client.ts'
import { type ParameterValues, type Placeholders, statement } from '../sql/client/statement.ts'

/** The statuses that occupy a slot; must match the index of slots. */
export const IN_FLIGHT = `status in (${IN_FLIGHT_STATUSES.map((status) => `'${status}'`).join(', ')})`

/** Why a run in flight waits or is paused; null for the others. */
export const STATUS_REASON = `case status when 'queued' then 'waiting for a worker' when 'paused' then pause_reason
    when 'awaiting_approval' then waits_for end`

/**
 * Paused until its budget has room again; the reason is that of `used_up_budget`. Must match the index of
 * such runs.
 */
export const OUT_OF_BUDGET = `status = 'paused' and pause_reason like 'budget %'`

/** The parameters of {@link runInScope}. */
export type ScopedRunParameter = 'runId' | 'organizationId' | 'projectId' | 'isTest'

/** The run that a caller names, within the caller's scope; tests only for callers that include them. */
export function runInScope(p: Placeholders<ScopedRunParameter>): string {
  return `id = ${p.runId}::uuid and organization_id = ${p.organizationId}::uuid
  and (${p.projectId}::uuid is null or project_id = ${p.projectId}::uuid) and (kind = 'test') = ${p.isTest}::boolean`
}

/** The values of {@link runInScope}. */
export function scopedRun(
  { organizationId, projectId, isTest = false }: RunScope,
  runId: WorkflowRunId,
): ParameterValues<ScopedRunParameter> {
  return { runId, organizationId, projectId, isTest }
}

/**
 * Notifies the synchronous callers of ended runs (`from`: rows with id and waiter). Runs without a waiter
 * send no notification, because commits that NOTIFY queue behind each other.
 */
export function TELL_WAITER(from: string): string {
  return `
  select pg_notify('${CHANNEL}', json_build_object('kind', 'workflow_run_ended', 'runId', ended_run.id)::text)
  from (select id, waiter from ${from}) ended_run where ended_run.waiter is not null`
}

const READ_STATUS = statement<ScopedRunParameter>(
  'read_workflow_run_status',
  (p) => `select status from workflow_runs where ${runInScope(p)}`,
).returning({ status: text<WorkflowRunStatus>() })

/**
 * The status of a run after a lost compare-and-set, read in a separate statement: the snapshot of the losing
 * statement may predate the winning change. null when no such run exists in the scope.
 */
export async function readWorkflowRunStatus(
  client: SqlClient,
  scope: RunScope,
  runId: WorkflowRunId,
): Promise<WorkflowRunStatus | null> {
  const [row] = await client.query(...READ_STATUS(scopedRun(scope, runId)))
  return row?.status ?? null
}

const READ_HELD_STATUS = statement<'runId'>(
  'read_held_workflow_run_status',
  (p) => `select status from workflow_runs where id = ${p.runId}::uuid`,
).returning({ status: text<WorkflowRunStatus>() })

/** The current status of a run that this process held, after its fence was refused; null if the run is deleted. */
export async function readHeldStatus(
  client: SqlClient,
  runId: WorkflowRunId,
): Promise<WorkflowRunStatus | null> {
  const [row] = await client.query(...READ_HELD_STATUS({ runId }))
  return row?.status ?? null
}
