import { type SqlClient, statement, storableJson } from '@troupe/sql'
import type { VoiceTurn, VoiceTurnStore } from '@troupe/voice'

/**
 * Against an erasure of the conversation, which empties the session's row and deletes its turns: the row is locked first,
 * so an append that waited for the erasure finds it erased and adds nothing, and an erasure that waited deletes what was
 * added.
 */
const APPEND = statement<'organizationId' | 'id' | 'turns'>(
  'append_voice_turns',
  (p) => `
with kept as materialized (
  select id from voice_sessions where organization_id = ${p.organizationId}::uuid and id = ${p.id}::uuid
    and participant_identity <> '' for key share
)
insert into voice_turns (session_id, organization_id, item_id, seq, role, text, interrupted, run_id, metrics, created_at)
select ${p.id}::uuid, ${p.organizationId}::uuid, t.item_id, t.at + (
    select coalesce(max(seq), 0) from voice_turns where organization_id = ${p.organizationId}::uuid and session_id = ${p.id}::uuid),
  t.role, t.text, t.interrupted, t.run_id, t.metrics, t.created_at
from kept, json_to_recordset(${p.turns}::json) t(item_id text, at int, role text, text text, interrupted boolean, run_id uuid,
  metrics json, created_at timestamptz)
on conflict (session_id, item_id) do update set text = excluded.text, interrupted = excluded.interrupted,
  run_id = coalesce(excluded.run_id, voice_turns.run_id), metrics = coalesce(excluded.metrics, voice_turns.metrics)`,
)

const LIST = statement<'organizationId' | 'id'>(
  'list_voice_turns',
  (p) => `
select item_id as "itemId", seq, role, text, interrupted, run_id as "runId", metrics, created_at as "createdAt"
from voice_turns where organization_id = ${p.organizationId}::uuid and session_id = ${p.id}::uuid order by seq, item_id`,
)

/** The transcripts of voice sessions. */
export function voiceTurnRows(client: SqlClient): VoiceTurnStore {
  return {
    async append({ organizationId, id }, turns) {
      // One row for each item, at its first place: a statement cannot change a row twice.
      const latest = new Map(turns.map((turn) => [turn.itemId, turn]))
      const rows = [...latest.values()].map((turn, index) => asRow(turn, index + 1))
      await client.query(...APPEND({ organizationId, id, turns: storableJson(rows) }))
    },
    list: ({ organizationId, id }) => client.query<VoiceTurn>(...LIST({ organizationId, id })),
  }
}

function asRow({ itemId, runId, createdAt, ...turn }: Omit<VoiceTurn, 'seq'>, at: number) {
  return { ...turn, at, item_id: itemId, run_id: runId, created_at: createdAt.toISOString() }
}
