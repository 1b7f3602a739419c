import type { VoiceSessionId } from '@troupe/contract'
import { json, nullable } from '../../sql/client/columns.ts'
import type { SqlClient } from '../../sql/client/sql-client.ts'
import { statement } from '../../sql/client/statement.ts'
import type { Observation } from '../port/observation.ts'
import type { SessionPlace } from '../port/sessions.ts'
import type { ObservedVoiceSession } from '../port/voice-sessions.ts'
import { millis } from '../runs/summary.ts'

/** Maximum sessions that a page examines. */
const WINDOW = 5_000

/** The connection time of a call is the callee's answer, that of a session in the browser the caller's join. Seconds are the billed ones. */
const VOICE_SESSION = `json_build_object('voiceSessionId', v.id, 'kind', v.kind, 'state', v.session_state,
  'endedReason', v.ended_reason, 'failureMessage', v.failure_message, 'sipStatusCode', v.sip_status_code, 'agentId', v.agent_id,
  'agentName', (select a.name from agents a where a.id = v.agent_id and a.organization_id = v.organization_id),
  'projectId', v.project_id, 'userId', v.end_user_ref, 'to', v.to_e164, 'createdAt', ${millis('v.created_at')},
  'connectedAt', ${millis("case v.kind when 'outbound_call' then v.answered_at else v.joined_at end")},
  'endedAt', ${millis('v.ended_at')},
  'countedS', case when v.ended_at is null then null when v.kind = 'outbound_call' then coalesce(v.charged_s, 0)
    else coalesce(greatest(0, extract(epoch from v.ended_at - v.joined_at)), 0) end,
  'sessionId', (select s.id from sessions s where s.organization_id = v.organization_id and s.kind = 'agent'
    and s.entity_id = v.agent_id and s.session_id = v.id::text and not s.is_playground limit 1))`

type PageParameter =
  | 'organizationId'
  | 'agentId'
  | 'state'
  | 'level'
  | 'projectId'
  | 'afterTime'
  | 'afterId'
  | 'limit'

const PAGE_VOICE_SESSIONS = statement<PageParameter>(
  'page_observed_voice_sessions',
  (p) => `
with seen as (
  select id, created_at, agent_id, session_state, project_id from voice_sessions
  where organization_id = ${p.organizationId}::uuid
    and (created_at, id) < (coalesce(${p.afterTime}::timestamptz, 'infinity'), coalesce(${p.afterId}::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
  order by created_at desc, id desc limit ${WINDOW}
), page as (
  select id, created_at from seen
  where (${p.agentId}::uuid is null or agent_id = ${p.agentId}::uuid)
    and case ${p.state}::text when 'in_flight' then session_state not in ('completed', 'failed')
      when 'completed' then session_state = 'completed' when 'failed' then session_state = 'failed' else true end
    and case ${p.level}::text when 'one' then project_id = ${p.projectId}::uuid when 'none' then project_id is null else true end
  order by created_at desc, id desc limit ${p.limit}::int
)
select (select json_agg(${VOICE_SESSION} order by v.created_at desc, v.id desc) from page join voice_sessions v on v.id = page.id) as rows,
  (select case when count(*) = ${WINDOW} then
    (select json_build_object('createdAt', ${millis('created_at')}, 'id', id) from seen order by created_at, id limit 1)
    end from seen) as examined`,
).returning({
  rows: nullable(json<ObservedVoiceSession[]>()),
  examined: nullable(json<SessionPlace<VoiceSessionId>>()),
})

export function pageObservedVoiceSessions(client: SqlClient): Observation['voiceSessions'] {
  return async (organizationId, { agentId, state, projectId }, { after, limit }) => {
    const level = projectId === null ? null : projectId === 'none' ? 'none' : 'one'
    const [row] = await client.query(
      ...PAGE_VOICE_SESSIONS({
        ...{ organizationId, agentId, state, level },
        projectId: level === 'one' ? projectId : null,
        afterTime: after && new Date(after.createdAt).toISOString(),
        afterId: after?.id ?? null,
        limit: limit + 1,
      }),
    )
    const found = row?.rows ?? []
    const rows = found.slice(0, limit)
    const last = rows.at(-1)
    if (found.length > limit && last) {
      return { rows, next: { createdAt: last.createdAt, id: last.voiceSessionId } }
    }
    return { rows, next: row?.examined ?? null }
  }
}
