import type { MemberRun } from '@troupe/agents/ports'
import { storableJson } from '../../sql/client/storable.ts'
import { integer, USAGE_SOURCE_COLUMNS } from '../../usage-ledger/usage-rows.ts'
import { MESSAGE_COLUMNS, MESSAGE_RECORDSET, MESSAGE_VALUES, messageRows } from './message-rows.ts'

/** The columns of the parent run that {@link MEMBERS} needs from its data-modifying query. */
export const PARENT_COLUMNS = `id, organization_id, project_id, source, tag, user_id, include_messages, store_messages,
  ${USAGE_SOURCE_COLUMNS}`

/**
 * Writes members' runs with their messages under the row of `parent` (a preceding query that returns {@link
 * PARENT_COLUMNS}). Idempotent: a member of the same step that already exists is kept, and the resent one is
 * dropped with its messages. A member's events are in its parent's log, so its own log counts as trimmed.
 */
export function MEMBERS(parent: string, parameter: string): string {
  return `
given_member as materialized (
  select * from json_to_recordset(${parameter}::json) as g (id uuid, step_key text, agent_id uuid, agent_version_id uuid,
    status text, success boolean, input text, content text, error_code text, error_message text, input_tokens int,
    output_tokens int, failover_used boolean, created_at timestamptz, completed_at timestamptz, learns boolean,
    messages json)
), member as (
  insert into runs (id, organization_id, project_id, kind, entity_id, entity_version_id, session_row_id, parent_run_id,
    step_key, source, status, success, input, content, answer_agent_id, error_code, error_message, tag, user_id,
    include_messages, input_tokens, output_tokens, failover_used, api_key_id, started_at, log_trimmed, created_at,
    completed_at, memory_due_at)
  select g.id, p.organization_id, p.project_id, 'agent', g.agent_id, g.agent_version_id, p.session_row_id, p.id,
    g.step_key, p.source, g.status, g.success, g.input, g.content, g.agent_id, g.error_code, g.error_message, p.tag,
    p.user_id, p.include_messages, g.input_tokens, g.output_tokens, g.failover_used, p.api_key_id, g.created_at, true,
    g.created_at, g.completed_at, case when g.learns then now() end
  from ${parent} p, given_member g
  on conflict do nothing
  returning id, organization_id
), member_messages as (
  insert into run_messages (run_id, organization_id, ${MESSAGE_COLUMNS})
  select member.id, member.organization_id, ${MESSAGE_VALUES}
  from member join given_member g on g.id = member.id, ${MESSAGE_RECORDSET('g.messages')}
)`
}

/** Members' runs as JSON; without their texts when those are not stored. */
export function memberRows(members: readonly MemberRun[], storeMessages: boolean): string {
  return storableJson(
    members.map((m) => ({
      id: m.runId,
      step_key: m.stepKey,
      agent_id: m.agentId,
      agent_version_id: m.agentVersionId,
      status: m.status,
      success: m.success,
      input: storeMessages ? m.input : null,
      content: storeMessages ? m.content : null,
      error_code: m.errorCode,
      error_message: m.errorMessage,
      input_tokens: integer(m.inputTokens),
      output_tokens: integer(m.outputTokens),
      failover_used: m.failoverUsed,
      created_at: new Date(m.createdAt).toISOString(),
      completed_at: new Date(m.completedAt).toISOString(),
      learns: m.learns ?? false,
      messages: storeMessages ? messageRows(m.messages) : [],
    })),
  )
}
