import type { RunStore } from '@troupe/agents/ports'
import { CHANNEL } from '../../listen-notify/listeners.ts'
import { number } from '../../sql/client/columns.ts'
import type { SqlClient } from '../../sql/client/sql-client.ts'
import { statement } from '../../sql/client/statement.ts'
import { storableText } from '../../sql/client/storable.ts'
import { APPENDED_END } from '../events/stored-events.ts'

/**
 * Skips rows that another sweep or the run's own end has locked: they are being ended, and waiting for several rows in
 * arbitrary order could deadlock. Jobs are continued instead of ended: see `job-table.ts`.
 */
const FAIL_LOST = statement<'all' | 'errorCode' | 'errorMessage'>(
  'fail_lost',
  (p) => `
with lost as (
  update runs set status = 'failed', success = false, error_code = ${p.errorCode}, error_message = ${p.errorMessage}, completed_at = now(),
    lease_until = null, tool_context_sealed = null
  where id in (
    select id from runs
    where status = 'running' and source in ('api_sync', 'api_stream', 'playground', 'voice') and (${p.all}::boolean or lease_until < now()) for update skip locked
  )
  returning id, organization_id, source
), lost_streams as (
  select id, organization_id from lost where source in ('api_stream', 'playground', 'voice')
), told as (${APPENDED_END('lost_streams', 'RunError', `'error', ${p.errorCode}::text, 'message', ${p.errorMessage}::text`)}
), announced as (
  select pg_notify('${CHANNEL}', json_build_object('kind', 'run_events', 'runId', run_id)::text) from told
)
select count(*) as lost, (select count(*) from announced) as announced from lost`,
).returning({ lost: number(), announced: number() })

export function failLost(client: SqlClient): RunStore['failLost'] {
  return async ({ all, errorCode, errorMessage }) => {
    const [row] = await client.query(
      ...FAIL_LOST({ all, errorCode, errorMessage: storableText(errorMessage) }),
    )
    return row?.lost ?? 0
  }
}
