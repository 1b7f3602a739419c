import type { RunEnd, RunStatus, RunStore } from '@troupe/agents/ports'
import type { SqlClient, SqlValue, Statement } from '../../sql/sql-client.ts'
import { PARENT_COLUMNS } from '../rows/member-rows.ts'
import { readStatus } from '../rows/read-status.ts'
import {
  END_ASSIGNMENTS,
  END_DETAILS,
  END_LOG,
  END_MEMBERS,
  endValues,
  endValuesWithLog,
  endValuesWithMembers,
  FENCE_HOLDS,
} from './run-end.ts'

const ENDED = `
  update runs set status = $3, success = $5::boolean, error_code = $6, error_message = $8, stop_reason = $9,
    completed_at = $10::timestamptz, lease_until = null, ${END_ASSIGNMENTS}`
const IN_FLIGHT = `id = $1::uuid and organization_id = $2::uuid and entity_id = $14::uuid and status = 'running'`

/**
 * The compare-and-set and everything that hangs on it, in one statement. Against a cancel or a sweep at the same moment
 * the row lock decides: who comes second finds the status changed, writes nothing and is told the other's status. A job
 * that another worker has taken over has another fence, and nothing is written either.
 */
const FINISH_WITH_MEMBERS = {
  name: 'finish_with_members',
  text: `
with ended as (${ENDED}, plan = $22::json where ${IN_FLIGHT} and ${FENCE_HOLDS}
  returning ${PARENT_COLUMNS}
), ${END_DETAILS}, ${END_LOG}, ${END_MEMBERS}
select exists (select from ended) as finished`,
}

/** The same for a run of an agent: what is not planned and not started costs nothing. */
const FINISH_STREAM = {
  name: 'finish_stream',
  text: `
with ended as (${ENDED} where ${IN_FLIGHT} returning id, organization_id, project_id), ${END_DETAILS}, ${END_LOG}
select exists (select from ended) as finished`,
}

/** The same for a run without a log, which most are. */
const FINISH_RUN = {
  name: 'finish_run',
  text: `
with ended as (${ENDED} where ${IN_FLIGHT} returning id, organization_id, project_id), ${END_DETAILS}
select exists (select from ended) as finished`,
}

function smallest(end: RunEnd): [Statement, SqlValue[]] {
  if (end.fence || end.plan || end.members.length > 0) return [FINISH_WITH_MEMBERS, endValuesWithMembers(end)]
  return end.events.length > 0 ? [FINISH_STREAM, endValuesWithLog(end)] : [FINISH_RUN, endValues(end)]
}

export function finishRun(client: SqlClient): RunStore['finish'] {
  return async (end) => {
    const [row] = await client.query<{ finished: boolean }>(...smallest(end))
    if (row?.finished) return { finished: true }
    const status: RunStatus | null = await readStatus(client, end.runId, end.organizationId)
    return { finished: false, status }
  }
}
