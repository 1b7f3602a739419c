import type { RunStore } from '@troupe/agents/ports'
import type { SqlClient } from '../sql/sql-client.ts'
import { storableText } from '../sql/storable.ts'

/** Two processes that summarise one session write the same version; the first one's text stays. */
const SAVE_SUMMARY = {
  name: 'save_summary',
  text: `
insert into session_summaries
  (session_id, version, organization_id, project_id, text, covers_session_seq, model_id)
select id, $4::int, organization_id, project_id, $5, $6::int, $7 from sessions
where id = $1::uuid and organization_id = $2::uuid and project_id is not distinct from $3::uuid
on conflict do nothing`,
}

export function saveSummary(client: SqlClient): RunStore['saveSummary'] {
  return async (summary) => {
    await client.query(SAVE_SUMMARY, [
      summary.sessionRowId,
      summary.organizationId,
      summary.projectId,
      summary.version,
      storableText(summary.text),
      summary.coversSeq,
      storableText(summary.modelId),
    ])
  }
}
