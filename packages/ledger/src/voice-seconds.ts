import { type SqlClient, statement } from '@troupe/sql'
import type { UsageStore, VoiceSum } from './port.ts'

const named = (table: string) =>
  `(select n.name from ${table} n where n.organization_id = s.organization_id and n.id = s.key::uuid)`

/**
 * Ended sessions by the day of their end (UTC). A call counts with its charge, a session in the browser with the time since
 * its caller first joined, with the times when the caller was away. None is longer than an hour, so the index by creation finds them.
 */
const VOICE_SECONDS = statement<'organizationId' | 'projectId' | 'groupBy' | 'from' | 'to' | 'limit'>(
  'voice_seconds',
  (p) => `
select s.key, s.seconds, case ${p.groupBy}::text when 'agent' then ${named('agents')} when 'key' then ${named('api_keys')}
  else s.key end as name
from (
  select v.organization_id, case ${p.groupBy}::text when 'day' then (v.ended_at at time zone 'UTC')::date::text
      when 'agent' then v.agent_id::text when 'key' then v.api_key_id::text when 'user' then v.end_user_ref end as key,
    sum(case when v.kind = 'outbound_call' then v.charged_s
      else greatest(0, extract(epoch from v.ended_at - v.first_joined_at)) end)::float8 as seconds
  from voice_sessions v
  where v.organization_id = ${p.organizationId}::uuid and (${p.projectId}::uuid is null or v.project_id = ${p.projectId}::uuid)
    and v.created_at >= (${p.from}::date - 1)::timestamp at time zone 'UTC'
    and v.created_at < (${p.to}::date + 1)::timestamp at time zone 'UTC'
    and (v.ended_at at time zone 'UTC')::date between ${p.from}::date and ${p.to}::date
  group by 1, 2
) s
where s.seconds > 0 order by s.seconds desc, s.key limit ${p.limit}::int`,
)

export function voiceSeconds(client: SqlClient): UsageStore['voiceSeconds'] {
  return async (scope, report) => client.query<VoiceSum>(...VOICE_SECONDS({ ...scope, ...report }))
}
