import type { VoiceSessionId } from '@troupe/contract'
import type { NewWebSession, VoiceSessionStore } from '@troupe/voice'
import { uuid } from '../../sql/client/columns.ts'
import type { SqlDriver } from '../../sql/client/sql-client.ts'
import { statement } from '../../sql/client/statement.ts'
import { storableNullable, storableText } from '../../sql/client/storable.ts'
import { SESSION_IN_FLIGHT } from './columns.ts'
import { RoomTaken, takeRoom } from './worker-room.ts'

/** Two statements: the count must see the commits of the previous lock holder. */
const LOCK_KEY = statement<'apiKeyId'>(
  'lock_voice_sessions_of_key',
  (p) => `select pg_advisory_xact_lock(hashtextextended('voice:' || ${p.apiKeyId}::text, 0))`,
)

type Column = Exclude<keyof NewWebSession, 'createdAt' | 'phaseDeadline' | 'expiresAt'>

/** Sessions past their end do not count, so that a slot is free after an hour even if all upkeep has stopped. */
const INSERT = statement<Column | 'createdAt' | 'phaseDeadline' | 'expiresAt' | 'slots'>(
  'open_voice_session',
  (p) => `
insert into voice_sessions (id, kind, organization_id, project_id, api_key_id, agent_id, agent_version_id, voice_config_id,
  session_state, room_name, participant_identity, end_user_ref, created_at, phase_deadline, expires_at, job_token_hash)
select ${p.id}::uuid, 'web', ${p.organizationId}::uuid, ${p.projectId}::uuid, ${p.apiKeyId}::uuid, ${p.agentId}::uuid,
  ${p.agentVersionId}::uuid, ${p.voiceConfigId}::uuid, 'starting', ${p.roomName}, ${p.participantIdentity}, ${p.endUserRef},
  ${p.createdAt}::timestamptz, ${p.phaseDeadline}::timestamptz, ${p.expiresAt}::timestamptz, ${p.jobTokenHash}
where (
  select count(*) from voice_sessions v
  where v.organization_id = ${p.organizationId}::uuid and v.api_key_id = ${p.apiKeyId}::uuid and v.kind = 'web'
    and v.${SESSION_IN_FLIGHT} and v.expires_at > ${p.createdAt}::timestamptz
) < ${p.slots}::int
returning id`,
).returning({ id: uuid<VoiceSessionId>() })

/** Inserts a session in the browser if its key has a free slot and a worker has room. */
export function openWeb(driver: SqlDriver): VoiceSessionStore['openWeb'] {
  return async (session, { slots, workersSeenAfter }) => {
    try {
      return await driver.transaction(async (client) => {
        await client.query(...LOCK_KEY({ apiKeyId: session.apiKeyId }))
        const rows = await client.query(
          ...INSERT({
            ...session,
            participantIdentity: storableText(session.participantIdentity),
            endUserRef: storableNullable(session.endUserRef),
            createdAt: session.createdAt.toISOString(),
            phaseDeadline: session.phaseDeadline.toISOString(),
            expiresAt: session.expiresAt.toISOString(),
            slots,
          }),
        )
        if (rows.length === 0) return 'no_slot'
        await takeRoom(client, workersSeenAfter)
        return 'opened'
      })
    } catch (error) {
      if (error instanceof RoomTaken) return 'no_room'
      throw error
    }
  }
}
