import type { HistoryLimits, HistoryRun, RunStore } from '@troupe/agents/ports'
import type { AgentId } from '@troupe/contract'
import { json, notNull, nullable, number, text, uuid } from '../sql/client/columns.ts'
import type { SqlClient } from '../sql/client/sql-client.ts'
import { statement } from '../sql/client/statement.ts'
import { NEWEST_RUNS } from './read-session.ts'
import type { ToolRow } from './tool-rows.ts'
import { calledTools, failedAfterCalls, toolRows, withSteps } from './tool-rows.ts'

/**
 * Truncated as in `read_session`. `seq` is the number of the team's turn, which several runs of one member may share.
 * Only ended turns count, because a job writes its members as they end and any other run at its own end: a member must
 * see the same history in both.
 */
const MEMBER_HISTORY = statement<'sessionRowId' | 'agentId' | keyof HistoryLimits>(
  'member_history',
  (p) => `
select seq, status, input, content, "answeredBy", ${calledTools('counted')} as called, ${toolRows('counted', p)} as tools
from (
  select id, kind, seq, status, input, content, "answeredBy", position,
    sum(bytes) over newest <= ${p.maxBytes}::bigint and position <= ${p.maxRuns}::bigint as fits
  from (
    select member.id, member.kind, turn.session_seq as seq, member.status, member.input, member.content,
      member.answer_agent_id as "answeredBy",
      octet_length(member.input) + coalesce(octet_length(member.content), 0) as bytes,
      row_number() over (order by member.created_at desc, member.step_key desc) as position
    from (
      select * from runs
      where session_row_id = ${p.sessionRowId}::uuid and entity_id = ${p.agentId}::uuid and parent_run_id is not null
        and (status in ('completed', 'cancelled') or ${failedAfterCalls('runs')}) and input is not null
      order by created_at desc limit ${NEWEST_RUNS}
    ) member
    join runs turn on turn.id = member.parent_run_id
    where turn.status not in ('queued', 'running')
  ) candidate
  window newest as (order by position)
) counted
where fits order by position desc`,
).returning({
  seq: notNull(number()),
  status: text<HistoryRun['status'] | 'timeout'>(),
  input: notNull(text()),
  content: nullable(text()),
  answeredBy: nullable(uuid<AgentId>()),
  called: nullable(json<readonly string[]>()),
  tools: nullable(json<ToolRow[]>()),
})

export function memberHistory(client: SqlClient): RunStore['memberHistory'] {
  return async (sessionRowId, agentId, limits) => {
    const rows = await client.query(...MEMBER_HISTORY({ sessionRowId, agentId, ...limits }))
    return rows.map(withSteps)
  }
}
