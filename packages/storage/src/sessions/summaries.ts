import type { RunStore } from '@troupe/agents/ports'
import type { SqlClient } from '../sql/client/sql-client.ts'
import { statement } from '../sql/client/statement.ts'
import { storableText } from '../sql/client/storable.ts'

type NewSummary = Parameters<RunStore['saveSummary']>[0]

/** Two processes that summarise one session write the same version; the first text is kept. */
const SAVE_SUMMARY = statement<keyof NewSummary>(
  'save_summary',
  (p) => `
insert into session_summaries
  (session_row_id, version, organization_id, project_id, text, covers_session_seq, model_id)
select id, ${p.version}::int, organization_id, project_id, ${p.text}, ${p.coversSeq}::int, ${p.modelId} from sessions
where id = ${p.sessionRowId}::uuid and organization_id = ${p.organizationId}::uuid and project_id is not distinct from ${p.projectId}::uuid
on conflict do nothing`,
)

export function saveSummary(client: SqlClient): RunStore['saveSummary'] {
  return async (summary) => {
    const { text, modelId } = summary
    await client.query(
      ...SAVE_SUMMARY({ ...summary, text: storableText(text), modelId: storableText(modelId) }),
    )
  }
}
