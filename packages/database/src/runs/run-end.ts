import type { RunEnd } from '@troupe/runtime/ports'
import type { SqlValue } from '../sql/sql-client.ts'
import { storableJson, storableNullable } from '../sql/storable.ts'
import { storableJsonOfEvents } from './stored-events.ts'
import { USAGE_COLUMNS, USAGE_RECORDSET, usageRows } from './usage-rows.ts'

/**
 * The tail that ends of runs share: everything that is written when `ended` (a data-modifying query before it, which
 * returns id, organization_id, project_id, session_id) has a row, and nothing when it has none. Values $1 to $20 are
 * those of {@link endValues}.
 */
export const END_DETAILS = `
messages as (
  insert into run_messages (run_id, idx, organization_id, role, content, agent_id, created_at)
  select ended.id, m.idx, ended.organization_id, m.role, m.content, m."agentId", m."createdAt"
  from ended, json_to_recordset($16::json) as m
    (idx int, role text, content text, "agentId" uuid, "createdAt" timestamptz)
  on conflict do nothing
), ledger as (
  insert into usage_records (organization_id, project_id, run_id, agent_id, user_id, tag, ${USAGE_COLUMNS})
  select ended.organization_id, ended.project_id, ended.id, $18::uuid, $19, $20, ${USAGE_COLUMNS}
  from ended, ${USAGE_RECORDSET('$17')}
)`

/** What the end of a streaming run writes beside {@link END_DETAILS}: the tail of its log. */
export const END_LOG = `
erased as (
  delete from run_events using ended where run_events.run_id = ended.id and not $7::boolean and run_events.seq_from > 1
), log as (
  insert into run_events (run_id, seq, seq_from, organization_id, event, data, cuts)
  select ended.id, e.seq, e."seqFrom", ended.organization_id, e.event, e.data, e.cuts
  from ended, json_to_recordset($15::json) as e (seq int, "seqFrom" int, event text, data json, cuts int[])
  on conflict do nothing
)`

/** The texts and numbers of an end, as assignments of an `update runs`. */
export const END_ASSIGNMENTS = `
  content = case when $7::boolean then $4 end, input = case when $7::boolean then input end,
  input_tokens = $11::int, output_tokens = $12::int, failover_used = $13::boolean`

/** $1 to $20 of a statement that ends or settles a run. */
export function endValues(end: RunEnd): SqlValue[] {
  const messages = end.storeMessages ? end.messages : []
  return [
    end.runId,
    end.organizationId,
    end.status,
    storableNullable(end.content),
    end.success,
    end.errorCode,
    end.storeMessages,
    storableNullable(end.errorMessage),
    end.stopReason,
    new Date(end.completedAt).toISOString(),
    end.inputTokens,
    end.outputTokens,
    end.failoverUsed,
    end.agentId,
    storableJsonOfEvents(end.events),
    storableJson(messages.map((m) => ({ ...m, createdAt: new Date(m.createdAt).toISOString() }))),
    usageRows(end.usage),
    end.agentId,
    storableNullable(end.userId),
    storableNullable(end.tag),
  ]
}
