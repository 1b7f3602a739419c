import type { StoredPrompts } from '@troupe/agents/ports'
import { json } from '../../sql/client/columns.ts'
import type { SqlClient } from '../../sql/client/sql-client.ts'
import { statement } from '../../sql/client/statement.ts'
import type { Observation } from '../port/observation.ts'
import type { ReadableTexts } from '../port/run-trace.ts'
import { READABLE } from './readable-texts.ts'

const FIND_PROMPTS = statement<'organizationId' | 'runId'>(
  'find_prompts',
  (p) => `
select ${READABLE('r')} as readable,
  coalesce((select json_agg(s.content order by s.series, s.part) from (
    select series, part, content from run_prompts where run_id = r.id
    union all
    select (r.prompts ->> 'series')::uuid, (r.prompts ->> 'part')::int, r.prompts
    where r.prompts is not null and not exists (
      select from run_prompts same
      where same.run_id = r.id and same.series = (r.prompts ->> 'series')::uuid and same.part = (r.prompts ->> 'part')::int)
  ) s), '[]'::json) as parts
from runs r where r.id = ${p.runId}::uuid and r.organization_id = ${p.organizationId}::uuid and r.parent_run_id is null`,
).returning({ readable: json<ReadableTexts>(), parts: json<readonly StoredPrompts[]>() })

export function findPrompts(client: SqlClient): Observation['prompts'] {
  return async (organizationId, runId) => {
    const [row] = await client.query(...FIND_PROMPTS({ organizationId, runId }))
    return row ? { readable: row.readable, parts: row.parts } : null
  }
}
