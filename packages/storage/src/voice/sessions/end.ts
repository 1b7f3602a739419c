import type { VoiceSessionId } from '@troupe/contract'
import { ENDED_REASONS, IN_FLIGHT_STATES, type VoiceSessionStore } from '@troupe/voice'
import { uuid } from '../../sql/client/columns.ts'
import type { SqlClient } from '../../sql/client/sql-client.ts'
import { statement } from '../../sql/client/statement.ts'
import { storableJson, storableNullable } from '../../sql/client/storable.ts'
import { chargedSeconds } from './charged-seconds.ts'
import { SESSION_COLUMNS, SESSION_ROW } from './columns.ts'

const END = statement<
  | 'organizationId'
  | 'id'
  | 'from'
  | 'state'
  | 'reason'
  | 'at'
  | 'failureReason'
  | 'failureMessage'
  | 'sipStatusCode'
  | 'sipStatus'
  | 'roomGone'
  | 'usage'
  | 'billingUnitS'
>(
  'end_voice_session',
  (p) => `
update voice_sessions v set session_state = ${p.state}, ended_reason = ${p.reason}, ended_at = ${p.at}::timestamptz,
  phase_deadline = null, job_token_hash = null, failure_reason = coalesce(${p.failureReason}, failure_reason),
  failure_message = coalesce(${p.failureMessage}, failure_message),
  sip_status_code = coalesce(${p.sipStatusCode}::int, sip_status_code), sip_status = coalesce(${p.sipStatus}, sip_status),
  room_gone = ${p.roomGone}::boolean, usage = coalesce(${p.usage}::json, usage),
  charged_s = ${chargedSeconds(p.at, p.billingUnitS)}
where v.organization_id = ${p.organizationId}::uuid and v.id = ${p.id}::uuid
  and v.session_state in ('starting', 'waiting', 'dialing', 'active')
  and v.session_state in (select json_array_elements_text(${p.from}::json))
returning ${SESSION_COLUMNS}`,
).returning(SESSION_ROW)

const PHASE_ENDS_BY = statement<'organizationId' | 'id' | 'deadline'>(
  'voice_phase_ends_by',
  (p) => `
update voice_sessions set phase_deadline = least(phase_deadline, ${p.deadline}::timestamptz)
where organization_id = ${p.organizationId}::uuid and id = ${p.id}::uuid and session_state = 'dialing'
returning id`,
).returning({ id: uuid<VoiceSessionId>() })

const ROOM_GONE = statement<'organizationId' | 'id'>(
  'voice_room_gone',
  (p) => `
update voice_sessions set room_gone = true
where organization_id = ${p.organizationId}::uuid and id = ${p.id}::uuid and session_state in ('completed', 'failed')`,
)

/** Ends sessions now or later, and records that their rooms are gone. */
export function sessionEnds(client: SqlClient): Pick<VoiceSessionStore, 'end' | 'phaseEndsBy' | 'roomGone'> {
  return {
    async end({ organizationId, id }, { reason, at, from = IN_FLIGHT_STATES, billingUnitS, ...detail }) {
      const [row] = await client.query(
        ...END({
          organizationId,
          id,
          from: JSON.stringify(from),
          state: ENDED_REASONS[reason],
          reason,
          at: at.toISOString(),
          failureReason: detail.failureReason ?? null,
          failureMessage: storableNullable(detail.failureMessage ?? null),
          sipStatusCode: detail.sipStatusCode ?? null,
          sipStatus: storableNullable(detail.sipStatus ?? null),
          roomGone: detail.roomGone ?? false,
          usage: detail.usage === undefined ? null : storableJson(detail.usage),
          billingUnitS,
        }),
      )
      return row ?? null
    },
    async phaseEndsBy({ organizationId, id }, deadline) {
      const values = { organizationId, id, deadline: deadline.toISOString() }
      return (await client.query(...PHASE_ENDS_BY(values))).length > 0
    },
    async roomGone({ organizationId, id }) {
      await client.query(...ROOM_GONE({ organizationId, id }))
    },
  }
}
