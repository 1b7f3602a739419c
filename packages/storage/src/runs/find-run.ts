import type { RunnableKind, RunRecord, RunSource, RunStatus, RunStore } from '@troupe/agents/ports'
import type { AgentId, Citation, GuardrailFlag, RunId, RunPlan, TeamId } from '@troupe/contract'
import { boolean, json, nullable, number, text, timestamp, uuid } from '../sql/client/columns.ts'
import type { SqlClient } from '../sql/client/sql-client.ts'
import { type RowOf, statement } from '../sql/client/statement.ts'
import { type RootParameter, rootInScope, rootValues } from './rows/root-in-scope.ts'

/** The ids of the run and its members are an array, not a join, so that messages are always read by index. */
const FIND_RUN = statement<RootParameter>(
  'find_run',
  (p) => `
select r.id as "runId", r.kind, r.entity_id as "entityId", r.status, r.source, r.success, r.content,
  r.error_code as "errorCode", r.error_message as "errorMessage", s.session_id as "sessionId", r.user_id as "userId",
  r.input_tokens as "inputTokens", r.output_tokens as "outputTokens", r.failover_used as "failoverUsed",
  r.include_messages as "includeMessages", r.plan, r.flags, r.citations, r.created_at as "createdAt", r.started_at as "startedAt",
  r.completed_at as "completedAt", m.messages
from runs r
join sessions s on s.id = r.session_row_id
left join lateral (
  select json_agg(json_build_object('runId', run_id, 'idx', idx, 'role', role, 'content', content,
    'toolCalls', tool_calls, 'toolCallId', tool_call_id, 'toolName', tool_name, 'isError', is_error,
    'agentId', agent_id, 'agentName', agent_name, 'createdAt', (extract(epoch from created_at) * 1000)::bigint)
    order by created_at, run_id <> r.id, run_id, idx) as messages
  from run_messages
  where run_id = any (array(select r.id union all select member.id from runs member where member.parent_run_id = r.id))
) m on true
where ${rootInScope(p)}`,
).returning({
  runId: uuid<RunId>(),
  kind: text<RunnableKind>(),
  entityId: uuid<AgentId | TeamId>(),
  status: text<RunStatus>(),
  source: text<RunSource>(),
  success: nullable(boolean()),
  content: nullable(text()),
  errorCode: nullable(text()),
  errorMessage: nullable(text()),
  sessionId: text(),
  userId: text(),
  inputTokens: number(),
  outputTokens: number(),
  failoverUsed: boolean(),
  includeMessages: boolean(),
  plan: nullable(json<RunPlan>()),
  flags: nullable(json<readonly GuardrailFlag[]>()),
  citations: nullable(json<readonly Citation[]>()),
  createdAt: timestamp(),
  startedAt: nullable(timestamp()),
  completedAt: nullable(timestamp()),
  messages: nullable(json<RunRecord['messages']>()),
})

type Row = RowOf<typeof FIND_RUN>

function toRecord(row: Row): RunRecord {
  return {
    ...row,
    createdAt: row.createdAt.getTime(),
    startedAt: row.startedAt?.getTime() ?? null,
    completedAt: row.completedAt?.getTime() ?? null,
    messages: row.messages ?? [],
  }
}

export function findRun(client: SqlClient): RunStore['find'] {
  return async (scope, target) => {
    const [row] = await client.query(...FIND_RUN(rootValues(scope, target)))
    return row ? toRecord(row) : null
  }
}
