import { type SqlClient, statement } from '@troupe/sql'
import type { CallStore } from '@troupe/voice'
import { heldCall } from './held-keys.ts'

const TO_DIALING = statement<'organizationId' | 'id' | 'roomSid' | 'phaseDeadline'>(
  'call_to_dialing',
  (p) => `
update voice_sessions set session_state = 'dialing', lk_room_sid = ${p.roomSid},
  phase_deadline = ${p.phaseDeadline}::timestamptz
where organization_id = ${p.organizationId}::uuid and id = ${p.id}::uuid and kind = 'outbound_call'
  and session_state = 'starting'
returning id`,
)

/** A heartbeat may have moved the row before; then the row only gets the call's SIP id. */
const ANSWERED = statement<'organizationId' | 'id' | 'sipCallId' | 'at'>(
  'call_answered',
  (p) => `
update voice_sessions set session_state = 'active', answered_at = coalesce(answered_at, ${p.at}::timestamptz),
  sip_call_id = ${p.sipCallId}, phase_deadline = null
where organization_id = ${p.organizationId}::uuid and id = ${p.id}::uuid and kind = 'outbound_call'
  and session_state in ('dialing', 'active') and sip_call_id is null
returning id`,
)

const WAITER_SEEN = statement<'organizationId' | 'id' | 'at'>(
  'call_waiter_seen',
  (p) => `
update voice_sessions set waiter_seen_at = ${p.at}::timestamptz
where organization_id = ${p.organizationId}::uuid and id = ${p.id}::uuid`,
)

/** Moves of calls that are not answered yet. */
export function callChanges(
  client: SqlClient,
): Pick<CallStore, 'held' | 'toDialing' | 'answered' | 'waiterSeen'> {
  return {
    held: (apiKeyId, idempotency, now) => heldCall(client, apiKeyId, idempotency, now),
    async toDialing({ organizationId, id }, { roomSid, phaseDeadline }) {
      const change = { roomSid, phaseDeadline: phaseDeadline.toISOString() }
      return (await client.query(...TO_DIALING({ organizationId, id, ...change }))).length > 0
    },
    async answered({ organizationId, id }, { sipCallId, at }) {
      const change = { sipCallId, at: at.toISOString() }
      return (await client.query(...ANSWERED({ organizationId, id, ...change }))).length > 0
    },
    async waiterSeen({ organizationId, id }, at) {
      await client.query(...WAITER_SEEN({ organizationId, id, at: at.toISOString() }))
    },
  }
}
