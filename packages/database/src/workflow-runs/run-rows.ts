import type { Scope } from '@troupe/agents/ports'
import type { WorkflowRunId } from '@troupe/contract'
import { IN_FLIGHT_STATUSES, type WorkflowRunStatus } from '@troupe/workflows/ports'
import { CHANNEL } from '../signals/listeners.ts'
import type { SqlClient } from '../sql/sql-client.ts'
import { type Placeholders, statement } from '../sql/statement.ts'

/** The statuses of a slot, as the index of slots has them. */
export const IN_FLIGHT = `status in (${IN_FLIGHT_STATUSES.map((status) => `'${status}'`).join(', ')})`

/** Why a run in flight stands where it stands; null for the others. */
export const STATUS_REASON = `case status when 'queued' then 'waiting for the engine' when 'paused' then pause_reason
    when 'awaiting_approval' then waits_for end`

/** Paused until its budget has room again; the reason is that of `used_up_budget`. As the index of such runs has it. */
export const OUT_OF_BUDGET = `status = 'paused' and pause_reason like 'budget %'`

/** The parameters of {@link runInScope}. */
export type ScopedRunParameter = 'runId' | 'organizationId' | 'projectId'

/** The run that a caller names, within the caller's scope. */
export function runInScope(p: Placeholders<ScopedRunParameter>): string {
  return `id = ${p.runId}::uuid and organization_id = ${p.organizationId}::uuid
  and (${p.projectId}::uuid is null or project_id = ${p.projectId}::uuid)`
}

/**
 * Tells the synchronous caller of runs that have ended (`from`: rows with id and waiter). Only such a run notifies:
 * commits that notify queue behind each other.
 */
export function TELL_WAITER(from: string): string {
  return `
  select pg_notify('${CHANNEL}', json_build_object('kind', 'workflow_run_ended', 'runId', ended_run.id)::text)
  from (select id, waiter from ${from}) ended_run where ended_run.waiter is not null`
}

const READ_STATUS = statement<ScopedRunParameter>(
  'read_workflow_run_status',
  (p) => `select status from workflow_runs where ${runInScope(p)}`,
)

/**
 * The status of a run after a lost compare-and-set, in a statement of its own: the snapshot of the one that lost may be
 * older than the change that won. null when there is no such run in the scope.
 */
export async function readWorkflowRunStatus(
  client: SqlClient,
  scope: Scope,
  runId: WorkflowRunId,
): Promise<WorkflowRunStatus | null> {
  const [row] = await client.query<{ status: WorkflowRunStatus }>(...READ_STATUS({ runId, ...scope }))
  return row?.status ?? null
}
