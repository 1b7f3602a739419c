import type { VoiceSessionId } from '@troupe/contract'
import type { CallStore } from '@troupe/voice'
import { uuid } from '../../sql/client/columns.ts'
import type { SqlClient } from '../../sql/client/sql-client.ts'
import { statement } from '../../sql/client/statement.ts'
import { storableJson } from '../../sql/client/storable.ts'
import { heldCall } from './held-keys.ts'

const TO_DIALING = statement<'organizationId' | 'id' | 'roomSid' | 'phaseDeadline' | 'at'>(
  'call_to_dialing',
  (p) => `
update voice_sessions set session_state = 'dialing', lk_room_sid = ${p.roomSid},
  phase_deadline = ${p.phaseDeadline}::timestamptz, dialer_seen_at = ${p.at}::timestamptz
where organization_id = ${p.organizationId}::uuid and id = ${p.id}::uuid and kind = 'outbound_call'
  and session_state = 'starting'
returning id`,
).returning({ id: uuid<VoiceSessionId>() })

/** A heartbeat may have advanced the row already; then the row only gets the call's SIP id. */
const ANSWERED = statement<'organizationId' | 'id' | 'sipCallId' | 'at'>(
  'call_answered',
  (p) => `
update voice_sessions set session_state = 'active', answered_at = coalesce(answered_at, ${p.at}::timestamptz),
  sip_call_id = ${p.sipCallId}, phase_deadline = null
where organization_id = ${p.organizationId}::uuid and id = ${p.id}::uuid and kind = 'outbound_call'
  and session_state in ('dialing', 'active') and sip_call_id is null
returning id`,
).returning({ id: uuid<VoiceSessionId>() })

const DIALER_SEEN = statement<'organizationId' | 'id' | 'at'>(
  'call_dialer_seen',
  (p) => `
update voice_sessions set dialer_seen_at = ${p.at}::timestamptz
where organization_id = ${p.organizationId}::uuid and id = ${p.id}::uuid and session_state = 'dialing'`,
)

/**
 * The worker has no organization; ownership of the session is the authorisation. A dialing process that was merely slow
 * later finds the SIP id in the row, and treats the call as answered.
 */
const ANSWERED_UNSEEN = statement<'workerId' | 'answers' | 'at' | 'dialerSeenBefore'>(
  'call_answered_unseen',
  (p) => `
update voice_sessions v set session_state = 'active', answered_at = ${p.at}::timestamptz, sip_call_id = a."sipCallId",
  phase_deadline = null
from json_to_recordset(${p.answers}::json) as a ("sessionId" uuid, "sipCallId" text)
where v.id = a."sessionId" and v.worker_id = ${p.workerId} and v.kind = 'outbound_call' and v.session_state = 'dialing'
  and v.sip_call_id is null and v.dialer_seen_at < ${p.dialerSeenBefore}::timestamptz
returning v.id`,
).returning({ id: uuid<VoiceSessionId>() })

const WAITER_SEEN = statement<'organizationId' | 'id' | 'at'>(
  'call_waiter_seen',
  (p) => `
update voice_sessions set waiter_seen_at = ${p.at}::timestamptz
where organization_id = ${p.organizationId}::uuid and id = ${p.id}::uuid`,
)

/** State changes of unanswered calls. */
export function callChanges(
  client: SqlClient,
): Pick<CallStore, 'held' | 'toDialing' | 'dialerSeen' | 'answered' | 'answeredUnseen' | 'waiterSeen'> {
  return {
    held: (apiKeyId, idempotency, now) => heldCall(client, apiKeyId, idempotency, now),
    async toDialing({ organizationId, id }, { roomSid, phaseDeadline, at }) {
      const change = { roomSid, phaseDeadline: phaseDeadline.toISOString(), at: at.toISOString() }
      return (await client.query(...TO_DIALING({ organizationId, id, ...change }))).length > 0
    },
    async dialerSeen({ organizationId, id }, at) {
      await client.query(...DIALER_SEEN({ organizationId, id, at: at.toISOString() }))
    },
    async answeredUnseen(workerId, answers, { at, dialerSeenBefore }) {
      const times = { at: at.toISOString(), dialerSeenBefore: dialerSeenBefore.toISOString() }
      const values = { workerId, answers: storableJson(answers), ...times }
      const rows = await client.query(...ANSWERED_UNSEEN(values))
      return rows.map(({ id }) => id)
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
