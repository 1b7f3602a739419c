import type { RunStore } from '@troupe/agents/ports'
import type { SqlClient } from '../sql/client/sql-client.ts'
import { statement } from '../sql/client/statement.ts'
import { storableNullable, storableText } from '../sql/client/storable.ts'
import { USAGE_COLUMNS, USAGE_RECORDSET, USAGE_RUN_COLUMNS, usageRows, usageValues } from './usage-rows.ts'

const RECORD_USAGE = statement<'organizationId' | 'projectId' | 'runId' | 'userId' | 'tag' | 'usage'>(
  'record_usage',
  (p) => `
insert into usage_records (${USAGE_RUN_COLUMNS}, user_id, tag, ${USAGE_COLUMNS})
select ${p.organizationId}::uuid, ${p.projectId}::uuid, given.id, case when r.kind = 'team' then r.entity_id end, w.workflow_id,
  coalesce(r.api_key_id, w.api_key_id), s.session_id, ${p.userId}, ${p.tag}, ${usageValues('coalesce(r.store_messages, true)')}
from (select ${p.runId}::uuid as id) given
left join runs r on r.id = given.id and r.organization_id = ${p.organizationId}::uuid
left join sessions s on s.id = r.session_row_id
left join workflow_runs w on w.id = coalesce(r.workflow_run_id, given.id) and w.organization_id = ${p.organizationId}::uuid
cross join ${USAGE_RECORDSET(p.usage)}`,
)

export function recordUsage(client: SqlClient): RunStore['recordUsage'] {
  return async ({ usage, ...run }) => {
    if (usage.length === 0) return
    const userId = storableText(run.userId)
    await client.query(
      ...RECORD_USAGE({ ...run, userId, tag: storableNullable(run.tag), usage: usageRows(usage) }),
    )
  }
}
