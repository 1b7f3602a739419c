import type { AgentId, RunId } from '@troupe/contract'
import type { NewRunMessage, RunRecord, RunSource, RunStatus, RunStore } from '@troupe/runtime/ports'
import type { SqlClient } from '../sql/sql-client.ts'

const FIND_RUN = {
  name: 'find_run',
  text: `
select r.id, r.entity_id, r.status, r.source, r.success, r.content, r.error_code, r.error_message, s.external_id,
  r.user_id, r.input_tokens, r.output_tokens, r.failover_used, r.created_at, r.completed_at, m.messages
from runs r
join sessions s on s.id = r.session_id
left join lateral (
  select json_agg(json_build_object('idx', idx, 'role', role, 'content', content, 'agentId', agent_id,
    'createdAt', (extract(epoch from created_at) * 1000)::bigint) order by idx) as messages
  from run_messages where run_id = r.id
) m on true
where r.id = $1::uuid and r.organization_id = $2::uuid and r.kind = 'agent' and r.entity_id = $3::uuid
  and ($4::uuid is null or r.project_id = $4::uuid)`,
}

interface Row {
  id: string
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
  created_at: Date
  completed_at: Date | null
  messages: NewRunMessage[] | null
}

function toRecord(row: Row): RunRecord {
  const runId = row.id as RunId
  return {
    runId,
    agentId: row.entity_id as AgentId,
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
    createdAt: row.created_at.getTime(),
    completedAt: row.completed_at?.getTime() ?? null,
    messages: (row.messages ?? []).map((message) => ({ ...message, runId })),
  }
}

export function findRun(client: SqlClient): RunStore['find'] {
  return async ({ organizationId, projectId }, agentId, runId) => {
    const [row] = await client.query<Row>(FIND_RUN, [runId, organizationId, agentId, projectId])
    return row ? toRecord(row) : null
  }
}
