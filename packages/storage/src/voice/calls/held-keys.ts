import type { ApiKeyId, VoiceSessionId } from '@troupe/contract'
import type { CallIdempotency, HeldCall, NewOutboundCall } from '@troupe/voice'
import { notNull, nullable, text, uuid } from '../../sql/client/columns.ts'
import type { SqlClient } from '../../sql/client/sql-client.ts'
import { statement } from '../../sql/client/statement.ts'

/** A call whose outcome is a 503 releases the key: the request may be repeated. */
const IS_KEPT = `not (v.session_state = 'failed' and (v.failure_reason = 'infra' or (v.answered_at is null
  and v.ended_reason in ('start_failed', 'agent_unavailable', 'media_lost', 'provider_error'))))`

const HELD = statement<'apiKeyId' | 'path' | 'key' | 'now'>(
  'held_call_key',
  (p) => `
select k.voice_session_id as "sessionId", k.body_hash as "bodyHash"
from idempotency_keys k join voice_sessions v on v.organization_id = k.organization_id and v.id = k.voice_session_id
where k.api_key_id = ${p.apiKeyId}::uuid and k.path = ${p.path} and k.key = ${p.key}
  and k.created_at > ${p.now}::timestamptz - interval '24 hours' and ${IS_KEPT}`,
).returning({ sessionId: notNull(uuid<VoiceSessionId>()), bodyHash: text() })

/** Of two concurrent claims, the second waits for the first and takes over its key only if that is free. */
const CLAIM = statement<'apiKeyId' | 'path' | 'key' | 'organizationId' | 'bodyHash' | 'sessionId' | 'now'>(
  'claim_call_key',
  (p) => `
insert into idempotency_keys as held (api_key_id, path, key, organization_id, body_hash, voice_session_id, created_at)
values (${p.apiKeyId}::uuid, ${p.path}, ${p.key}, ${p.organizationId}::uuid, ${p.bodyHash}, ${p.sessionId}::uuid,
  ${p.now}::timestamptz)
on conflict (api_key_id, path, key) do update set voice_session_id = excluded.voice_session_id,
  body_hash = excluded.body_hash, created_at = excluded.created_at
  where held.created_at <= excluded.created_at - interval '24 hours' or not exists (
    select from voice_sessions v where v.organization_id = held.organization_id and v.id = held.voice_session_id and ${IS_KEPT})
returning voice_session_id`,
).returning({ voice_session_id: nullable(uuid<VoiceSessionId>()) })

/** The call that has the key. */
export async function heldCall(
  client: SqlClient,
  apiKeyId: ApiKeyId,
  { path, key }: Pick<CallIdempotency, 'path' | 'key'>,
  now: Date,
): Promise<HeldCall | null> {
  const [held] = await client.query(...HELD({ apiKeyId, path, key, now: now.toISOString() }))
  return held ?? null
}

/** Claims the key for the call, whose row is stored. False if another call has it. */
export async function claimKey(
  client: SqlClient,
  { apiKeyId, organizationId, id, createdAt }: NewOutboundCall,
  idempotency: CallIdempotency,
): Promise<boolean> {
  const now = createdAt.toISOString()
  const rows = await client.query(...CLAIM({ apiKeyId, organizationId, sessionId: id, now, ...idempotency }))
  return rows.length > 0
}
