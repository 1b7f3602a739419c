import { json, nullable } from '../../sql/client/columns.ts'
import type { SqlClient } from '../../sql/client/sql-client.ts'
import { statement } from '../../sql/client/statement.ts'
import type { Observation } from '../port/observation.ts'
import type { RunOverview } from '../port/run-list.ts'
import type { AgentRunTrace, WorkflowRunTrace } from '../port/run-trace.ts'
import { NODE_LIST } from './node-list.ts'
import { READABLE } from './readable-texts.ts'
import { millis, SUMMARIES } from './summary.ts'

const MOST_CALLS = 2_000

const MESSAGES = `(select json_agg(json_build_object('runId', m.run_id, 'idx', m.idx, 'role', m.role, 'content', m.content,
    'toolCalls', m.tool_calls, 'toolCallId', m.tool_call_id, 'toolName', m.tool_name, 'isError', m.is_error,
    'agentId', m.agent_id, 'agentName', m.agent_name, 'createdAt', ${millis('m.created_at')})
    order by m.created_at, m.run_id <> r.id, m.run_id, m.idx)
  from run_messages m
  where m.run_id = any (array(select r.id union all select member.id from runs member where member.parent_run_id = r.id)))`

const MEMBERS = `(select json_agg(json_build_object('runId', m.id, 'stepKey', m.step_key, 'agentId', m.entity_id,
    'agentName', (select name from agents where id = m.entity_id and organization_id = m.organization_id),
    'versionNumber', (select n from agent_versions where id = m.entity_version_id),
    'status', m.status, 'success', m.success, 'input', m.input, 'content', m.content,
    'errorCode', m.error_code, 'error', m.error_message, 'inputTokens', m.input_tokens, 'outputTokens', m.output_tokens,
    'createdAt', ${millis('m.created_at')}, 'completedAt', ${millis('m.completed_at')}) order by m.created_at, length(m.step_key), m.step_key)
  from runs m where m.parent_run_id = r.id)`

const CALLS = `(select json_agg(json_build_object('purpose', u.purpose, 'memberRunId', u.member_run_id, 'agentId', u.agent_id,
    'agentName', (select name from agents where id = u.agent_id and organization_id = u.organization_id),
    'llmConfigId', u.llm_config_id,
    'llmConfigName', (select name from llm_configurations where id = u.llm_config_id and organization_id = u.organization_id),
    'modelId', u.model_id, 'attempt', u.attempt, 'isFallback', u.is_fallback, 'inputTokens', u.input_tokens,
    'cachedTokens', u.cached_tokens, 'cacheWriteTokens', u.cache_write_tokens, 'outputTokens', u.output_tokens, 'reasoningTokens', u.reasoning_tokens,
    'hasAllTokens', not u.usage_incomplete,
    'costMicros', u.cost_micros, 'latencyMs', u.latency_ms, 'ttftMs', u.ttft_ms, 'ok', u.ok, 'errorCode', u.error_code,
    'providerMessage', u.provider_message, 'note', u.note, 'promptId', u.prompt_id, 'recordedAt', ${millis('u.created_at')}) order by u.id)
  from (select * from usage_records where run_id = r.id and organization_id = r.organization_id order by id limit ${MOST_CALLS}) u)`

const MOST_APPROVALS = 500

const APPROVALS = `(select json_agg(json_build_object('approvalId', a.id, 'stepKey', a.step_key, 'toolCallId', a.tool_call_id,
    'toolName', a.tool_name, 'status', case when a.status = 'pending' and (r.status not in ('queued', 'running') or a.expires_at <= now())
      then 'expired' else a.status end,
    'resolvedBy', a.resolved_by, 'reason', a.reason, 'createdAt', ${millis('a.created_at')},
    'resolvedAt', ${millis('a.resolved_at')}) order by a.created_at, a.id)
  from (select * from approvals where run_id = r.id order by created_at, id limit ${MOST_APPROVALS}) a)`

const AGENT_TRACE = `json_build_object('input', r.input, 'content', r.content, 'error', r.error_message,
  'answeredBy', r.answer_agent_id, 'failoverUsed', r.failover_used, 'storesMessages', r.store_messages, 'readable', ${READABLE('r')}, 'flags', r.flags,
  'citations', r.citations, 'plan', r.plan, 'messages', coalesce(${MESSAGES}, '[]'::json),
  'members', coalesce(${MEMBERS}, '[]'::json), 'calls', coalesce(${CALLS}, '[]'::json),
  'approvals', coalesce(${APPROVALS}, '[]'::json),
  'isSettled', r.completed_at is not null and (r.status <> 'cancelled' or r.lease_until is null))`

const WORKFLOW_TRACE = (
  nodes: string,
) => `json_build_object('versionId', w.version_id, 'source', w.source, 'input', w.input,
  'output', w.output, 'error', w.error, 'firedNodeId', w.fired_node_id, 'scheduledFor', ${millis('w.scheduled_for')},
  'traceErased', w.trace_erased, 'nodes', coalesce((select ${NODE_LIST} from (
      select * from workflow_node_runs all_nodes where all_nodes.run_id = w.id order by seq, path, node_id limit ${nodes}::int
    ) n), '[]'::json),
  'nodeCount', counted."all", 'failedNodeCount', counted.failed, 'test', w.scope)`

const FIND_RUN = statement<'organizationId' | 'runId' | 'nodes'>(
  'find_observed_run',
  (p) => `
with found as (
  select id, kind from runs
  where id = ${p.runId}::uuid and organization_id = ${p.organizationId}::uuid and parent_run_id is null
  union all
  select id, 'workflow' from workflow_runs where id = ${p.runId}::uuid and organization_id = ${p.organizationId}::uuid
)
select d.run, agent_trace.trace as "agentRun", workflow_trace.trace as "workflowRun"
from found ${SUMMARIES('found')}
left join lateral (select ${AGENT_TRACE} as trace from runs r where r.id = found.id and found.kind <> 'workflow') agent_trace on true
left join lateral (
  select ${WORKFLOW_TRACE(p.nodes)} as trace from workflow_runs w, lateral (
    select count(*) as "all", count(*) filter (where n.status = 'failed') as failed
    from workflow_node_runs n where n.run_id = w.id
  ) counted
  where w.id = found.id and found.kind = 'workflow'
) workflow_trace on true`,
).returning({
  run: json<RunOverview>(),
  agentRun: nullable(json<AgentRunTrace>()),
  workflowRun: nullable(json<WorkflowRunTrace>()),
})

export function findObservedRun(client: SqlClient): Observation['run'] {
  return async (organizationId, runId, { nodes }) => {
    const [row] = await client.query(...FIND_RUN({ organizationId, runId, nodes }))
    if (!row) return null
    const { run, agentRun, workflowRun } = row
    if (run.kind === 'workflow') return workflowRun && { kind: 'workflow', run, workflowRun }
    return agentRun && { kind: run.kind, run, agentRun }
  }
}
