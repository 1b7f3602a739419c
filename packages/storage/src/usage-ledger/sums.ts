import { nullable, number, text } from '../sql/client/columns.ts'
import type { SqlClient } from '../sql/client/sql-client.ts'
import { statement } from '../sql/client/statement.ts'
import type { TableName } from '../tables/table-name.ts'
import type { UsageStore } from './port.ts'
import { isAmong, keysParameter } from './some-keys.ts'

const name = (table: TableName, organization: string) =>
  `(select n.name from ${table} n where n.organization_id = ${organization}::uuid and n.id = s.key::uuid)`

/** The amounts of a row `s` of the reports. */
const AMOUNTS = `s.runs, s.model_calls as "modelCalls", s.failed_calls as "failedCalls", s.input_tokens as "inputTokens",
  s.cached_tokens as "cachedTokens", s.output_tokens as "outputTokens", s.cost_micros as "costMicros"`

const MAX_INT = 2_147_483_647

const USAGE_SUMS = statement<
  'organizationId' | 'projectId' | 'groupBy' | 'from' | 'to' | 'limit' | 'rankBy' | 'keys'
>(
  'usage_sums',
  (p) => `
select s.key, ${AMOUNTS},
  case ${p.groupBy}::text when 'agent' then ${name('agents', p.organizationId)}
    when 'team' then ${name('teams', p.organizationId)} when 'workflow' then ${name('workflows', p.organizationId)}
    when 'key' then ${name('api_keys', p.organizationId)} else s.key end as name
from usage_sums(${p.organizationId}::uuid, ${p.projectId}::uuid, ${p.groupBy}::text, ${p.from}::date, ${p.to}::date,
  case when ${p.keys}::json is null then ${p.limit}::int else ${MAX_INT} end, ${p.rankBy}::text) s
where ${isAmong(p.keys)} limit ${p.limit}::int`,
).returning({
  key: nullable(text()),
  runs: number(),
  modelCalls: number(),
  failedCalls: number(),
  inputTokens: number(),
  cachedTokens: number(),
  outputTokens: number(),
  costMicros: nullable(number()),
  name: nullable(text()),
})

const USAGE_DAYS = statement<'organizationId' | 'projectId' | 'groupBy' | 'keys' | 'from' | 'to'>(
  'usage_days',
  (p) => `
select s.day, s.key, ${AMOUNTS}
from usage_days(${p.organizationId}::uuid, ${p.projectId}::uuid, ${p.groupBy}::text, ${p.keys}::json, ${p.from}::date,
  ${p.to}::date) s`,
).returning({
  day: text(),
  key: text(),
  runs: number(),
  modelCalls: number(),
  failedCalls: number(),
  inputTokens: number(),
  cachedTokens: number(),
  outputTokens: number(),
  costMicros: nullable(number()),
})

export function usageDays(client: SqlClient): UsageStore['days'] {
  return async (scope, { keys, ...report }) =>
    client.query(...USAGE_DAYS({ ...scope, ...report, keys: JSON.stringify(keys) }))
}

export function usageSums(client: SqlClient): UsageStore['sums'] {
  return async (scope, { rankBy = 'tokens', keys, ...report }) =>
    client.query(...USAGE_SUMS({ ...scope, ...report, rankBy, keys: keysParameter(keys) }))
}
