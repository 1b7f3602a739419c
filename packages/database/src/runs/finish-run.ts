import type { RunStatus, RunStore } from '@troupe/runtime/ports'
import type { SqlClient } from '../sql/sql-client.ts'
import { END_ASSIGNMENTS, END_DETAILS, END_LOG, endValues } from './run-end.ts'

const ENDED = `
ended as (
  update runs set status = $3, success = $5::boolean, error_code = $6, error_message = $8, stop_reason = $9,
    completed_at = $10::timestamptz, lease_until = null, ${END_ASSIGNMENTS}
  where id = $1::uuid and organization_id = $2::uuid and entity_id = $14::uuid and status = 'running'
  returning id, organization_id, project_id, session_id
)`

/**
 * The compare-and-set and everything that hangs on it, in one statement. Against a cancel or a sweep at the same moment
 * the row lock decides: who comes second finds the status changed, writes nothing and is told the other's status.
 */
const FINISH_STREAM = {
  name: 'finish_stream',
  text: `with ${ENDED}, ${END_DETAILS}, ${END_LOG} select exists (select from ended) as finished`,
}

/** The same for a run without a log, which most are: what is not planned and not started costs nothing. */
const FINISH_RUN = {
  name: 'finish_run',
  text: `
with unused as (select $15::json), ${ENDED}, ${END_DETAILS}
select exists (select from ended) as finished`,
}

// In a statement of its own: the snapshot of the one that lost may be older than the end that won.
const READ_STATUS = {
  name: 'read_run_status',
  text: 'select status from runs where id = $1::uuid and organization_id = $2::uuid',
}

export function finishRun(client: SqlClient): RunStore['finish'] {
  return async (end) => {
    const [row] = await client.query<{ finished: boolean }>(
      end.events.length > 0 ? FINISH_STREAM : FINISH_RUN,
      endValues(end),
    )
    if (row?.finished) return { finished: true }
    const [run] = await client.query<{ status: RunStatus }>(READ_STATUS, [end.runId, end.organizationId])
    return { finished: false, status: run?.status ?? null }
  }
}
