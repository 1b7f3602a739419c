import type { RunStore } from '@troupe/agents/ports'
import { type SqlClient, statement, storableNullable, storableText } from '@troupe/sql'
import { USAGE_COLUMNS, USAGE_RECORDSET, usageRows } from './usage-rows.ts'

const RECORD_USAGE = statement<'organizationId' | 'projectId' | 'runId' | 'userId' | 'tag' | 'usage'>(
  'record_usage',
  (p) => `
insert into usage_records (organization_id, project_id, run_id, user_id, tag, ${USAGE_COLUMNS})
select ${p.organizationId}::uuid, ${p.projectId}::uuid, ${p.runId}::uuid, ${p.userId}, ${p.tag}, ${USAGE_COLUMNS}
from ${USAGE_RECORDSET(p.usage)}`,
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
