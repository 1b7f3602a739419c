import type { OrganizationId, SessionRowId, VoiceSessionId } from '@troupe/contract'
import { type SQL, sql } from 'drizzle-orm'

/**
 * The transcript of a voice session: the messages of its runs, where an answer has the heard words, and messages that
 * the
 * agent spoke without a run, such as its greeting. An unheard answer is omitted. A session has the id of
 * its voice session, and both belong to one agent of one project. At most an hour of speech, so it is sorted as a
 * whole.
 *
 * @param message the message `m` of a run `r` as JSON
 */
export function voiceMessages(
  {
    organizationId,
    id,
    voiceId,
  }: { organizationId: OrganizationId; id: SessionRowId; voiceId: VoiceSessionId },
  message: SQL,
): SQL {
  return sql`(
    with conversation as (
      select s.id, s.organization_id, v.id as voice_id, a.id as agent_id, a.name as agent_name
      from sessions s
      join voice_sessions v on v.organization_id = s.organization_id and v.id = ${voiceId}
        and v.agent_id = s.entity_id and v.project_id is not distinct from s.project_id
      left join agents a on a.organization_id = v.organization_id and a.id = v.agent_id
      where s.id = ${id} and s.organization_id = ${organizationId} and s.kind = 'agent' and not s.is_playground
    ), run as (
      select r.id, r.session_seq, r.created_at, r.status, r.source, r.citations, spoken.text, spoken.interrupted, last.idx as answer
      from conversation c
      join runs r on r.session_row_id = c.id and r.organization_id = c.organization_id and r.session_seq is not null
      left join lateral (
        select string_agg(t.text, ' ' order by t.seq) as text, bool_or(t.interrupted) as interrupted from voice_turns t
        where t.run_id = r.id and t.organization_id = r.organization_id and t.role = 'assistant'
      ) spoken on r.source = 'voice'
      left join lateral (
        select max(m.idx) as idx from run_messages m where m.run_id = r.id and m.role = 'assistant'
      ) last on true
    )
    select r.session_seq as place, 0 as part, m.idx as number, case
      when m.idx = r.answer and r.text is not null
        then (${message}::jsonb || jsonb_build_object('content', r.text, 'interrupted', r.interrupted))::json
      else ${message} end as message
    from run r join run_messages m on m.run_id = r.id
    where not (m.idx = r.answer and r.source = 'voice' and r.status = 'cancelled' and r.text is null and m.tool_calls is null)
    union all
    -- Before the first run that began after it.
    select coalesce((select max(r.session_seq) from run r where r.created_at <= t.created_at), 0), 1, t.seq,
      json_build_object('runId', null, 'idx', t.seq, 'role', t.role, 'content', t.text, 'toolCalls', null, 'toolCallId', null,
        'toolName', null, 'isError', null, 'agentId', c.agent_id, 'agentName', c.agent_name,
        'createdAt', (extract(epoch from t.created_at) * 1000)::bigint, 'citations', null, 'interrupted', t.interrupted)
    from conversation c
    join voice_turns t on t.session_id = c.voice_id and t.organization_id = c.organization_id
    where t.run_id is null and t.role = 'assistant'
  ) said`
}
