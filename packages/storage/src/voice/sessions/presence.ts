import type { VoiceSessionId } from '@troupe/contract'
import type { VoiceSessionStore } from '@troupe/voice'
import { uuid } from '../../sql/client/columns.ts'
import type { SqlClient } from '../../sql/client/sql-client.ts'
import { statement } from '../../sql/client/statement.ts'

const TO_WAITING = statement<'organizationId' | 'id' | 'roomSid' | 'phaseDeadline' | 'at'>(
  'voice_session_waits',
  (p) => `
update voice_sessions set session_state = 'waiting', lk_room_sid = ${p.roomSid},
  phase_deadline = ${p.phaseDeadline}::timestamptz, dispatched_at = ${p.at}::timestamptz
where organization_id = ${p.organizationId}::uuid and id = ${p.id}::uuid and session_state = 'starting' and kind = 'web'
returning id`,
).returning({ id: uuid<VoiceSessionId>() })

/** A join activates a session in the browser; a call becomes active only when it is answered. The latest join counts. */
const JOINED = statement<'organizationId' | 'id' | 'at'>(
  'voice_caller_joined',
  (p) => `
update voice_sessions set joined_at = greatest(joined_at, ${p.at}::timestamptz),
  first_joined_at = least(first_joined_at, ${p.at}::timestamptz),
  left_at = case when left_at > ${p.at}::timestamptz then left_at end,
  session_state = case when session_state = 'waiting' then 'active' else session_state end,
  phase_deadline = case when session_state = 'waiting' then null else phase_deadline end
where organization_id = ${p.organizationId}::uuid and id = ${p.id}::uuid
  and session_state in ('waiting', 'dialing', 'active')
returning id`,
).returning({ id: uuid<VoiceSessionId>() })

/** Webhooks have whole seconds, and a worker may have seen the caller join within the same second. */
const LEFT = statement<'organizationId' | 'id' | 'at'>(
  'voice_caller_left',
  (p) => `
update voice_sessions set left_at = ${p.at}::timestamptz
where organization_id = ${p.organizationId}::uuid and id = ${p.id}::uuid
  and session_state in ('waiting', 'dialing', 'active') and (joined_at is null or date_trunc('second', joined_at) <= ${p.at}::timestamptz)
returning id`,
).returning({ id: uuid<VoiceSessionId>() })

/** A worker that is ready again must not be mistaken for the one that left within the same second. */
const AGENT_LEFT = statement<'organizationId' | 'id' | 'at'>(
  'voice_agent_left',
  (p) => `
update voice_sessions set agent_left_at = ${p.at}::timestamptz
where organization_id = ${p.organizationId}::uuid and id = ${p.id}::uuid
  and session_state in ('waiting', 'dialing', 'active') and agent_ready_at <= ${p.at}::timestamptz
returning id`,
).returning({ id: uuid<VoiceSessionId>() })

type Presence = Pick<VoiceSessionStore, 'toWaiting' | 'joined' | 'left' | 'agentLeft'>

/** Joins and leaves of participants. */
export function sessionPresence(client: SqlClient): Presence {
  const isWritten = async (rows: Promise<{ id: string }[]>) => (await rows).length > 0
  return {
    toWaiting: (key, { roomSid, phaseDeadline, at }) =>
      isWritten(
        client.query(
          ...TO_WAITING({
            ...key,
            roomSid,
            phaseDeadline: phaseDeadline.toISOString(),
            at: at.toISOString(),
          }),
        ),
      ),
    joined: (key, at) => isWritten(client.query(...JOINED({ ...key, at: at.toISOString() }))),
    left: (key, at) => isWritten(client.query(...LEFT({ ...key, at: at.toISOString() }))),
    agentLeft: (key, at) => isWritten(client.query(...AGENT_LEFT({ ...key, at: at.toISOString() }))),
  }
}
