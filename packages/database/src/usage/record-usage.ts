import type { RunStore } from '@troupe/agents/ports'
import type { SqlClient } from '../sql/sql-client.ts'
import { storableNullable, storableText } from '../sql/storable.ts'
import { USAGE_COLUMNS, USAGE_RECORDSET, usageRows } from './usage-rows.ts'

const RECORD_USAGE = {
  name: 'record_usage',
  text: `
insert into usage_records (organization_id, project_id, run_id, user_id, tag, ${USAGE_COLUMNS})
select $1::uuid, $2::uuid, $3::uuid, $4, $5, ${USAGE_COLUMNS} from ${USAGE_RECORDSET('$6')}`,
}

export function recordUsage(client: SqlClient): RunStore['recordUsage'] {
  return async (run) => {
    if (run.usage.length === 0) return
    await client.query(RECORD_USAGE, [
      run.organizationId,
      run.projectId,
      run.runId,
      storableText(run.userId),
      storableNullable(run.tag),
      usageRows(run.usage),
    ])
  }
}
