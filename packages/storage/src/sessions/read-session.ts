import type { RunStore, SessionHistoryLimits, SessionKey, StoredSessionState } from '@troupe/agents/ports'
import type { SessionRowId } from '@troupe/contract'
import { json, nullable, number, text, uuid } from '../sql/client/columns.ts'
import type { SqlClient } from '../sql/client/sql-client.ts'
import { statement } from '../sql/client/statement.ts'
import { storableText } from '../sql/client/storable.ts'
import { calledTools, failedAfterCalls, type HistoryRow, toolRows, withSteps } from './tool-rows.ts'

/**
 * Runs examined after a summary: the cost of a session that is never summarised must not grow with every run.
 */
export const NEWEST_RUNS = 2_000

/**
 * `fits` is a window sum from the newest run backwards, so the first run that does not fit and all older ones are left
 * out; no run is cut. `octet_length` reads the length of a stored text without fetching or decompressing it. Members'
 * runs have no number in the session and are not part of its history. Runs in flight take no room; the oldest of them
 * is reported. A failed run counts if it, or a member, called a tool. A voice turn counts with its spoken text, not its
 * written text: a turn interrupted before its first word is empty.
 */
const READ_SESSION = statement<keyof SessionKey | keyof SessionHistoryLimits>(
  'read_session',
  (p) => `
select s.id, s.user_id, m.version, m.text, m.covers_session_seq, h.total_bytes, h.history, h.oldest_in_flight
from sessions s
left join lateral (
  select version, text, covers_session_seq from session_summaries
  where session_row_id = s.id order by version desc limit 1
) m on true
cross join lateral (
  select coalesce(sum(bytes), 0)::bigint as total_bytes,
    json_agg(json_build_object('seq', session_seq, 'status', status, 'input', input, 'content', content,
      'answeredBy', answer_agent_id, 'interrupted', interrupted,
      'called', ${calledTools('counted')}, 'tools', ${toolRows('counted', p)})
      order by session_seq) filter (where fits) as history,
    min(session_seq) filter (where not ended) as oldest_in_flight
  from (
    select id, kind, session_seq, status, input, content, answer_agent_id, interrupted, bytes, ended,
      count(*) filter (where ended) over newest as position,
      ended and sum(bytes) over newest <= ${p.maxBytes}::bigint
        and count(*) filter (where ended) over newest <= ${p.maxRuns}::bigint as fits
    from (
      select id, kind, session_seq, status, input, said.content, answer_agent_id, spoken.interrupted, ended,
        case when ended then octet_length(input) + coalesce(octet_length(said.content), 0) else 0 end as bytes
      from runs
      cross join lateral (select status in ('completed', 'cancelled', 'failed', 'timeout') as ended) judgement
      left join lateral (
        select string_agg(text, ' ' order by seq) as text, bool_or(interrupted) as interrupted from voice_turns
        where run_id = runs.id and organization_id = runs.organization_id and role = 'assistant'
      ) spoken on source = 'voice'
      cross join lateral (select case
        when source = 'voice' and status = 'cancelled' then spoken.text else coalesce(spoken.text, content) end as content) said
      where session_row_id = s.id and session_seq > coalesce(m.covers_session_seq, 0)
        and session_seq < coalesce(${p.beforeSeq}::int, 2147483647)
        and (status in ('completed', 'cancelled', 'queued', 'running') or ${failedAfterCalls('runs')})
        and input is not null
      order by session_seq desc limit ${NEWEST_RUNS}
    ) candidate
    window newest as (order by session_seq desc)
  ) counted
) h
where s.organization_id = ${p.organizationId}::uuid and s.project_id is not distinct from ${p.projectId}::uuid
  and s.kind = ${p.kind} and s.entity_id = ${p.entityId}::uuid and s.session_id = ${p.sessionId}
  and s.is_playground = ${p.isPlayground}::boolean`,
).returning({
  id: uuid<SessionRowId>(),
  user_id: text(),
  version: nullable(number()),
  text: nullable(text()),
  covers_session_seq: nullable(number()),
  total_bytes: number(),
  history: nullable(json<HistoryRow[]>()),
  oldest_in_flight: nullable(number()),
})

export function readSession(client: SqlClient): RunStore['session'] {
  return async (key, limits): Promise<StoredSessionState | null> => {
    const [row] = await client.query(
      ...READ_SESSION({ ...key, ...limits, sessionId: storableText(key.sessionId) }),
    )
    if (!row) return null
    const { version, text, covers_session_seq: coversSeq } = row
    return {
      sessionRowId: row.id,
      ownerUserId: row.user_id,
      summary: version === null || text === null || coversSeq === null ? null : { text, coversSeq, version },
      history: (row.history ?? []).map(withSteps),
      unsummarisedBytes: row.total_bytes,
      oldestInFlight: row.oldest_in_flight,
    }
  }
}
