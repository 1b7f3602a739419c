import type { RunId } from '@troupe/contract'
import type { VoiceTurn, VoiceTurnStore } from '@troupe/voice'
import { boolean, json, nullable, number, text, timestamp, uuid } from '../../sql/client/columns.ts'
import type { SqlClient } from '../../sql/client/sql-client.ts'
import { statement } from '../../sql/client/statement.ts'
import { storableJson } from '../../sql/client/storable.ts'

/**
 * No item of an erased session is stored. The lock waits for an erasure that is under way, and an erasure waits for it.
 * The first item creates the session of runs with the same id, so that a conversation without a run is found and
 * deleted like any other. It is inserted only if missing: an insert would wait for a deletion, which waits for this
 * lock.
 */
const APPEND = statement<'organizationId' | 'id' | 'turns'>(
  'append_voice_turns',
  (p) => `
with held as (
  select id, organization_id, project_id, agent_id, end_user_ref, created_at from voice_sessions
  where organization_id = ${p.organizationId}::uuid and id = ${p.id}::uuid and erased_at is null for key share
), conversation as (
  insert into sessions (id, organization_id, project_id, kind, entity_id, session_id, user_id, last_seq, created_at, last_run_at)
  select h.id, h.organization_id, h.project_id, 'agent', h.agent_id, h.id::text, coalesce(h.end_user_ref, h.id::text), 0,
    h.created_at, h.created_at
  from held h where not exists (
    select from sessions s where s.organization_id = h.organization_id and s.kind = 'agent' and s.entity_id = h.agent_id
      and s.session_id = h.id::text and not s.is_playground and s.project_id is not distinct from h.project_id)
  on conflict do nothing
)
insert into voice_turns (session_id, organization_id, item_id, seq, role, text, interrupted, run_id, metrics, created_at)
select ${p.id}::uuid, ${p.organizationId}::uuid, t.item_id, t.at + (
    select coalesce(max(seq), 0) from voice_turns where organization_id = ${p.organizationId}::uuid and session_id = ${p.id}::uuid),
  t.role, t.text, t.interrupted, t.run_id, t.metrics, t.created_at
from held, json_to_recordset(${p.turns}::json) t(item_id text, at int, role text, text text, interrupted boolean, run_id uuid,
  metrics json, created_at timestamptz)
on conflict (session_id, item_id) do update set text = excluded.text, interrupted = excluded.interrupted,
  run_id = coalesce(excluded.run_id, voice_turns.run_id), metrics = coalesce(excluded.metrics, voice_turns.metrics)`,
)

const LIST = statement<'organizationId' | 'id'>(
  'list_voice_turns',
  (p) => `
select item_id as "itemId", seq, role, text, interrupted, run_id as "runId", metrics, created_at as "createdAt"
from voice_turns where organization_id = ${p.organizationId}::uuid and session_id = ${p.id}::uuid order by seq, item_id`,
).returning({
  itemId: text(),
  seq: number(),
  role: text<'user' | 'assistant'>(),
  text: text(),
  interrupted: boolean(),
  runId: nullable(uuid<RunId>()),
  metrics: nullable(json<Record<string, number>>()),
  createdAt: timestamp(),
})

/** The transcripts of voice sessions. */
export function voiceTurnRows(client: SqlClient): VoiceTurnStore {
  return {
    async append({ organizationId, id }, turns) {
      // One row for each item, at its first place: a statement cannot change a row twice.
      const latest = new Map(turns.map((turn) => [turn.itemId, turn]))
      const rows = [...latest.values()].map((turn, index) => asRow(turn, index + 1))
      await client.query(...APPEND({ organizationId, id, turns: storableJson(rows) }))
    },
    list: ({ organizationId, id }) => client.query(...LIST({ organizationId, id })),
  }
}

function asRow({ itemId, runId, createdAt, ...turn }: Omit<VoiceTurn, 'seq'>, at: number) {
  return { ...turn, at, item_id: itemId, run_id: runId, created_at: createdAt.toISOString() }
}
