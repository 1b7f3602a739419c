import { type SqlClient, statement } from '@troupe/sql'
import type { UsageStore, UsageSum } from './port.ts'

const name = (table: string, organization: string) =>
  `(select n.name from ${table} n where n.organization_id = ${organization}::uuid and n.id = s.key::uuid)`

const USAGE_SUMS = statement<'organizationId' | 'projectId' | 'groupBy' | 'from' | 'to' | 'limit'>(
  'usage_sums',
  (p) => `
select s.key, s.runs, s.model_calls as "modelCalls", s.input_tokens as "inputTokens", s.cached_tokens as "cachedTokens",
  s.output_tokens as "outputTokens", s.cost_micros as "costMicros",
  case ${p.groupBy}::text when 'agent' then ${name('agents', p.organizationId)}
    when 'team' then ${name('teams', p.organizationId)} when 'workflow' then ${name('workflows', p.organizationId)}
    when 'key' then ${name('api_keys', p.organizationId)} else s.key end as name
from usage_sums(${p.organizationId}::uuid, ${p.projectId}::uuid, ${p.groupBy}::text, ${p.from}::date, ${p.to}::date,
  ${p.limit}::int) s`,
)

export function usageSums(client: SqlClient): UsageStore['sums'] {
  return async (scope, report) => client.query<UsageSum>(...USAGE_SUMS({ ...scope, ...report }))
}
