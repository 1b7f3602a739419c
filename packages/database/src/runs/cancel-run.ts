import type { RunStore } from '@troupe/runtime/ports'
import { CHANNEL } from '../signals/listeners.ts'
import type { SqlClient } from '../sql/sql-client.ts'

/**
 * Compare-and-set and notification in one statement, so a cancel that is answered is also announced. The lease stays:
 * it marks that the executing process still owes the texts.
 */
const CANCEL_RUN = {
  name: 'cancel_run',
  text: `
with scoped as (
  select id from runs
  where id = $1::uuid and organization_id = $2::uuid and kind = 'agent' and entity_id = $3::uuid
    and ($4::uuid is null or project_id = $4::uuid)
), ended as (
  update runs set status = 'cancelled', success = false, stop_reason = 'cancel', completed_at = now()
  where id = (select id from scoped) and status = 'running'
  returning id
), announced as (
  select pg_notify('${CHANNEL}', json_build_object('kind', 'run_cancelled', 'runId', id)::text) from ended
)
select exists (select from ended) as cancelled, (select count(*) from announced) as announced
from scoped`,
}

export function cancelRun(client: SqlClient): RunStore['cancel'] {
  return async (scope, agentId, runId) => {
    const { organizationId, projectId } = scope
    const [row] = await client.query<{ cancelled: boolean }>(CANCEL_RUN, [
      runId,
      organizationId,
      agentId,
      projectId,
    ])
    return row ? { cancelled: row.cancelled } : null
  }
}
