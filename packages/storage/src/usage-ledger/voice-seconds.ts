import { nullable, number, text } from '../sql/client/columns.ts'
import type { SqlClient } from '../sql/client/sql-client.ts'
import { statement } from '../sql/client/statement.ts'
import type { TableName } from '../tables/table-name.ts'
import type { UsageStore } from './port.ts'
import { isAmong, keysParameter } from './some-keys.ts'

const named = (table: TableName) =>
  `(select n.name from ${table} n where n.organization_id = s.organization_id and n.id = s.key::uuid)`

const DAY = "(v.ended_at at time zone 'UTC')::date"
/** A call counts with its charge, a session in the browser with the time since its caller first joined. */
const SECONDS = `sum(case when v.kind = 'outbound_call' then v.charged_s
      else greatest(0, extract(epoch from v.ended_at - v.first_joined_at)) end)::float8`
/** No session is longer than an hour, so the index by creation time finds the sessions that ended on certain days. */
const ENDED = (p: Record<'organizationId' | 'projectId' | 'from' | 'to', string>) => `
  v.organization_id = ${p.organizationId}::uuid and (${p.projectId}::uuid is null or v.project_id = ${p.projectId}::uuid)
    and v.created_at >= (${p.from}::date - 1)::timestamp at time zone 'UTC'
    and v.created_at < (${p.to}::date + 1)::timestamp at time zone 'UTC'
    and ${DAY} between ${p.from}::date and ${p.to}::date`

/** Ended sessions by the day of their end (UTC), or by a dimension. */
const VOICE_SECONDS = statement<
  'organizationId' | 'projectId' | 'groupBy' | 'from' | 'to' | 'limit' | 'keys'
>(
  'voice_seconds',
  (p) => `
select s.key, s.seconds, case ${p.groupBy}::text when 'agent' then ${named('agents')} when 'key' then ${named('api_keys')}
  else s.key end as name
from (
  select v.organization_id, case ${p.groupBy}::text when 'day' then ${DAY}::text
      when 'agent' then v.agent_id::text when 'key' then v.api_key_id::text when 'user' then v.end_user_ref end as key,
    ${SECONDS} as seconds
  from voice_sessions v where ${ENDED(p)}
  group by 1, 2
) s
where s.seconds > 0 and ${isAmong(p.keys)} order by s.seconds desc, s.key limit ${p.limit}::int`,
).returning({ key: nullable(text()), seconds: number(), name: nullable(text()) })

const VOICE_DAYS = statement<'organizationId' | 'projectId' | 'groupBy' | 'keys' | 'from' | 'to'>(
  'voice_days',
  (p) => `
select s.day, s.key, s.seconds from (
  select ${DAY}::text as day, case ${p.groupBy}::text when 'agent' then v.agent_id::text
      when 'key' then v.api_key_id::text when 'user' then v.end_user_ref end as key, ${SECONDS} as seconds
  from voice_sessions v where ${ENDED(p)}
  group by 1, 2
) s
where s.seconds > 0 and s.key in (select value from json_array_elements_text(${p.keys}::json)) order by s.day, s.key`,
).returning({ day: text(), key: nullable(text()), seconds: number() })

export function voiceDays(client: SqlClient): UsageStore['voiceDays'] {
  return async (scope, { keys, ...report }) =>
    client.query(...VOICE_DAYS({ ...scope, ...report, keys: JSON.stringify(keys) }))
}

export function voiceSeconds(client: SqlClient): UsageStore['voiceSeconds'] {
  return async (scope, { keys, ...report }) =>
    client.query(...VOICE_SECONDS({ ...scope, ...report, keys: keysParameter(keys) }))
}
