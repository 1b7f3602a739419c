import type {
  CallAdmission,
  CallIdempotency,
  CallOpening,
  CallOpeningOptions,
  CallStore,
  NewOutboundCall,
} from '@troupe/voice'
import { boolean } from '../../sql/client/columns.ts'
import type { SqlClient, SqlDriver } from '../../sql/client/sql-client.ts'
import { statement } from '../../sql/client/statement.ts'
import { storableText } from '../../sql/client/storable.ts'
import { RoomTaken, takeRoom } from '../sessions/worker-room.ts'
import { countCalls } from './count-calls.ts'
import { claimKey, heldCall } from './held-keys.ts'
import { remainingSeconds } from './remaining-seconds.ts'

const LOCK_TRUNK = statement<'trunkId'>(
  'lock_trunk',
  (p) => `select pg_advisory_xact_lock(hashtextextended('trunk:' || ${p.trunkId}, 0))`,
)

const INSERT = statement<keyof ReturnType<typeof valuesOf>>(
  'insert_call',
  (p) => `
insert into voice_sessions (id, kind, organization_id, project_id, api_key_id, agent_id, agent_version_id, voice_config_id,
  session_state, room_name, participant_identity, created_at, phase_deadline, expires_at, dispatched_at, job_token_hash,
  trunk_id, phone_number_id, to_e164, to_country, from_e164, lease_period, reserved_s)
values (${p.id}::uuid, 'outbound_call', ${p.organizationId}::uuid, ${p.projectId}::uuid, ${p.apiKeyId}::uuid,
  ${p.agentId}::uuid, ${p.agentVersionId}::uuid, ${p.voiceConfigId}::uuid, 'starting', ${p.roomName},
  ${p.participantIdentity}, ${p.createdAt}::timestamptz, ${p.phaseDeadline}::timestamptz, ${p.expiresAt}::timestamptz,
  ${p.createdAt}::timestamptz, ${p.jobTokenHash}, ${p.trunkId}::uuid, ${p.phoneNumberId}::uuid, ${p.toE164},
  ${p.toCountry}, ${p.fromE164}, ${p.period}::date, ${p.reservedS}::int)
returning not exists (select from voice_sessions v where v.organization_id = ${p.organizationId}::uuid
  and v.trunk_id = ${p.trunkId}::uuid and v.to_country = ${p.toCountry} and v.id <> ${p.id}::uuid) as "isFirstToCountry"`,
).returning({ isFirstToCountry: boolean() })

function valuesOf(call: NewOutboundCall, period: string, reservedS: number) {
  const { createdAt, phaseDeadline, expiresAt, participantIdentity, ...rest } = call
  return {
    ...rest,
    participantIdentity: storableText(participantIdentity),
    createdAt: createdAt.toISOString(),
    phaseDeadline: phaseDeadline.toISOString(),
    expiresAt: expiresAt.toISOString(),
    period,
    reservedS,
  }
}

/** Undoes the transaction of a call whose key another call claimed in the meantime. */
class KeyTaken extends Error {
  override readonly name = 'KeyTaken'
}

/**
 * Lock order: trunk, the organization's voice minutes, the workers. Every count and sum is a separate statement after
 * its lock, so that it sees the commits of the previous holder.
 */
export function openCalls(driver: SqlDriver): Pick<CallStore, 'open'> {
  const heldBy = (call: NewOutboundCall, idempotency: CallIdempotency, client: SqlClient = driver) =>
    heldCall(client, call.apiKeyId, idempotency, call.createdAt)
  return {
    async open<R>(
      call: NewOutboundCall,
      { idempotency, maxCps, workersSeenAfter }: CallOpeningOptions,
      admit: (found: CallAdmission) => { reservedS: number } | { refusal: R },
    ): Promise<CallOpening<R>> {
      try {
        return await driver.transaction(async (client): Promise<CallOpening<R>> => {
          await client.query(...LOCK_TRUNK(call))
          const held = idempotency && (await heldBy(call, idempotency, client))
          if (held) return { kind: 'held', held }
          const counts = await countCalls(client, call, maxCps)
          const period = `${call.createdAt.toISOString().slice(0, 7)}-01`
          const remaining = await remainingSeconds(client, call, period)
          const admitted = admit({ counts, remaining })
          if ('refusal' in admitted) return { kind: 'refused', refusal: admitted.refusal }
          const [row] = await client.query(...INSERT(valuesOf(call, period, admitted.reservedS)))
          if (idempotency && !(await claimKey(client, call, idempotency))) throw new KeyTaken()
          await takeRoom(client, workersSeenAfter)
          return { kind: 'opened', isFirstToCountry: row?.isFirstToCountry ?? false }
        })
      } catch (error) {
        if (error instanceof RoomTaken) return { kind: 'no_room' }
        const held = error instanceof KeyTaken && idempotency ? await heldBy(call, idempotency) : null
        if (!held) throw error
        return { kind: 'held', held }
      }
    },
  }
}
