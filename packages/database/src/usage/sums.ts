import type { UsageDimension } from '@troupe/contract'
import { type SqlClient, statement } from '@troupe/sql'
import { LEDGER_KEYS, LEDGER_SUMS } from './ledger-keys.ts'
import type { UsageStore, UsageSum } from './port.ts'

/** The tables with the names of keys that are ids. */
const NAMES: Partial<Record<UsageDimension, string>> = {
  agent: 'agents',
  team: 'teams',
  workflow: 'workflows',
  key: 'api_keys',
}

/**
 * The daily totals, and the ledger rows that are not in them yet: some minutes of calls. One statement, so that
 * watermark, totals and rows are of one snapshot.
 */
function sumsBy(dimension: UsageDimension) {
  const key = LEDGER_KEYS[dimension]
  const names = NAMES[dimension]
  const isDay = dimension === 'day'
  const sameKey =
    dimension === 'agent' || dimension === 'model'
      ? `and ${key.replace('u.', 'e.')} is not distinct from ${key}`
      : ''
  // A run counts on the day of its first call.
  const before = isDay
    ? `greatest(rolled.until, date_trunc('day', u.created_at at time zone 'UTC') at time zone 'UTC')`
    : 'rolled.until'
  return statement<'organizationId' | 'projectId' | 'from' | 'to' | 'limit'>(
    `usage_by_${dimension}`,
    (p) => `
with rolled as materialized (
  select coalesce((select rolled_until from usage_rollup), '-infinity') as until
), parts as (
  select ${isDay ? 'day::text' : 'key'} as key, runs, model_calls, input_tokens, cached_tokens,
    output_tokens, cost_micros
  from usage_totals
  where organization_id = ${p.organizationId}::uuid and dimension = '${dimension}'
    and day between ${p.from}::date and ${p.to}::date and (${p.projectId}::uuid is null or project_id = ${p.projectId}::uuid)
  union all
  select ${key}, count(distinct u.run_id) filter (where u.purpose <> 'embedding' and not exists (
      select from usage_records e where e.run_id = u.run_id and e.created_at < ${before} and e.purpose <> 'embedding'
        ${sameKey})), ${LEDGER_SUMS}
  from rolled, usage_records u
  where u.organization_id = ${p.organizationId}::uuid and (${p.projectId}::uuid is null or u.project_id = ${p.projectId}::uuid)
    and u.created_at >= greatest(rolled.until, ${p.from}::timestamp at time zone 'UTC')
    and u.created_at < (${p.to}::date + 1)::timestamp at time zone 'UTC'
  group by 1
)
select s.*, ${names ? 'n.name' : 's.key as name'}
from (
  select key, sum(runs)::bigint as runs, sum(model_calls)::bigint as "modelCalls", sum(input_tokens)::bigint as "inputTokens",
    sum(cached_tokens)::bigint as "cachedTokens", sum(output_tokens)::bigint as "outputTokens",
    sum(cost_micros)::bigint as "costMicros"
  from parts group by key
  order by ${isDay ? 'key' : 'sum(input_tokens) + sum(output_tokens) desc, key'} limit ${p.limit}::int
) s ${names ? `left join ${names} n on n.organization_id = ${p.organizationId}::uuid and n.id = s.key::uuid` : ''}
order by ${isDay ? 's.key' : 's."inputTokens" + s."outputTokens" desc, s.key'}`,
  )
}

const SUMS = {
  day: sumsBy('day'),
  agent: sumsBy('agent'),
  team: sumsBy('team'),
  workflow: sumsBy('workflow'),
  model: sumsBy('model'),
  key: sumsBy('key'),
  user: sumsBy('user'),
  tag: sumsBy('tag'),
} satisfies Record<UsageDimension, unknown>

export function usageSums(client: SqlClient): UsageStore['sums'] {
  return async (scope, { groupBy, ...report }) =>
    client.query<UsageSum>(...SUMS[groupBy]({ ...scope, ...report }))
}
