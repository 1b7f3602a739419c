import type { RunKind, RunRecord, RunSource, RunStatus, RunStore } from '@troupe/agents/ports'
import type { AgentId, RunId, RunPlan, TeamId } from '@troupe/contract'
import type { SqlClient } from '../sql/sql-client.ts'
import { ROOT_IN_SCOPE, rootValues } from './rows/root-in-scope.ts'

/** The ids of run and members are an array, not a join, so that messages are always read by their index. */
const FIND_RUN = {
  name: 'find_run',
  text: `
select r.id, r.kind, r.entity_id, r.status, r.source, r.success, r.content, r.error_code, r.error_message,
  s.external_id, r.user_id, r.input_tokens, r.output_tokens, r.failover_used, r.include_messages, r.plan, r.created_at,
  r.started_at, r.completed_at, m.messages
from runs r
join sessions s on s.id = r.session_id
left join lateral (
  select json_agg(json_build_object('runId', run_id, 'idx', idx, 'role', role, 'content', content,
    'toolCalls', tool_calls, 'toolCallId', tool_call_id, 'toolName', tool_name, 'isError', is_error,
    'agentId', agent_id, 'agentName', agent_name, 'createdAt', (extract(epoch from created_at) * 1000)::bigint)
    order by created_at, run_id <> r.id, run_id, idx) as messages
  from run_messages
  where run_id = any (array(select r.id union all select member.id from runs member where member.parent_run_id = r.id))
) m on true
where ${ROOT_IN_SCOPE}`,
}

interface Row {
  id: string
  kind: RunKind
  entity_id: string
  status: RunStatus
  source: RunSource
  success: boolean | null
  content: string | null
  error_code: string | null
  error_message: string | null
  external_id: string
  user_id: string
  input_tokens: number
  output_tokens: number
  failover_used: boolean
  include_messages: boolean
  plan: RunPlan | null
  created_at: Date
  started_at: Date | null
  completed_at: Date | null
  messages: RunRecord['messages'] | null
}

function toRecord(row: Row): RunRecord {
  return {
    runId: row.id as RunId,
    kind: row.kind,
    entityId: row.entity_id as AgentId | TeamId,
    status: row.status,
    source: row.source,
    success: row.success,
    content: row.content,
    errorCode: row.error_code,
    errorMessage: row.error_message,
    sessionId: row.external_id,
    userId: row.user_id,
    inputTokens: row.input_tokens,
    outputTokens: row.output_tokens,
    failoverUsed: row.failover_used,
    includeMessages: row.include_messages,
    plan: row.plan,
    createdAt: row.created_at.getTime(),
    startedAt: row.started_at?.getTime() ?? null,
    completedAt: row.completed_at?.getTime() ?? null,
    messages: row.messages ?? [],
  }
}

export function findRun(client: SqlClient): RunStore['find'] {
  return async (scope, target) => {
    const [row] = await client.query<Row>(FIND_RUN, rootValues(scope, target))
    return row ? toRecord(row) : null
  }
}
