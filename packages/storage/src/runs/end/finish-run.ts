import type { RunEnd, RunStatus, RunStore } from '@troupe/agents/ports'
import { boolean } from '../../sql/client/columns.ts'
import type { SqlClient } from '../../sql/client/sql-client.ts'
import { type BoundStatement, type Placeholders, statement } from '../../sql/client/statement.ts'
import { PARENT_COLUMNS } from '../rows/member-rows.ts'
import { readStatus } from '../rows/read-status.ts'
import {
  type EndParameter,
  endAssignments,
  endDetails,
  endLog,
  endMembers,
  endValues,
  fenceHolds,
  RUN_COLUMNS,
  type TeamEndParameter,
  teamEndValues,
} from './run-end.ts'

const FINISHED = { finished: boolean() }

const ended = (p: Placeholders<EndParameter>) => `
  update runs set status = ${p.status}, success = ${p.success}::boolean, error_code = ${p.errorCode},
    error_message = ${p.errorMessage}, stop_reason = ${p.stopReason}, completed_at = ${p.completedAt}::timestamptz,
    lease_until = null, tool_context_sealed = null, memory_due_at = case when ${p.learns}::boolean then now() end,
    ${endAssignments(p)}`

const inFlight = (p: Placeholders<EndParameter>) =>
  `id = ${p.runId}::uuid and organization_id = ${p.organizationId}::uuid and entity_id = ${p.entityId}::uuid
    and status = 'running'`

/**
 * The compare-and-set and all dependent writes, in one statement. The row lock serialises it with a concurrent cancel
 * or sweep: the second statement finds the status changed, writes nothing and returns the winner's status. A job that
 * another worker has taken over has another fence, so nothing is written either.
 */
const FINISH_WITH_MEMBERS = statement<TeamEndParameter>(
  'finish_with_members',
  (p) => `
with ended as (${ended(p)}, plan = ${p.plan}::json where ${inFlight(p)} and ${fenceHolds(p)}
  returning ${PARENT_COLUMNS}
), ${endDetails(p)}, ${endLog(p)}, ${endMembers(p)}
select exists (select from ended) as finished`,
).returning(FINISHED)

/** The same for a run of an agent, without the cost of members and plan. */
const FINISH_STREAM = statement<EndParameter>(
  'finish_stream',
  (p) => `
with ended as (${ended(p)} where ${inFlight(p)} returning ${RUN_COLUMNS}), ${endDetails(p)}, ${endLog(p)}
select exists (select from ended) as finished`,
).returning(FINISHED)

/** The same for a run without a log, the most common case. */
const FINISH_RUN = statement<EndParameter>(
  'finish_run',
  (p) => `
with ended as (${ended(p)} where ${inFlight(p)} returning ${RUN_COLUMNS}), ${endDetails(p)}
select exists (select from ended) as finished`,
).returning(FINISHED)

function smallest(end: RunEnd): BoundStatement<{ finished: boolean }> {
  if (end.fence || end.plan || end.members.length > 0) return FINISH_WITH_MEMBERS(teamEndValues(end))
  return end.events.length > 0 ? FINISH_STREAM(endValues(end)) : FINISH_RUN(endValues(end))
}

export function finishRun(client: SqlClient): RunStore['finish'] {
  return async (end) => {
    const [row] = await client.query(...smallest(end))
    if (row?.finished) return { finished: true }
    const status: RunStatus | null = await readStatus(client, end.runId, end.organizationId)
    return { finished: false, status }
  }
}
