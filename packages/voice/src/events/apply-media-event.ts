import type { MediaEvent } from '../media/media-event.ts'
import type { InFlightState, VoiceSessionRecord } from '../sessions/session.ts'
import type { VoiceParts } from '../sessions/voice-parts.ts'

/** Rooms end sessions in these states only: a start and a dialing end by their own outcome. */
const ENDED_BY_ROOM: Record<VoiceSessionRecord['kind'], readonly InFlightState[]> = {
  web: ['waiting', 'active'],
  outbound_call: ['active'],
}

/**
 * Moves the session of a room by an event. Every move is a compare-and-set, so that repeated, late or unordered events
 * do not change a settled state.
 */
export async function applyMediaEvent(
  { stores, now, limits }: Pick<VoiceParts, 'stores' | 'now' | 'limits'>,
  event: MediaEvent,
): Promise<void> {
  const { sessions } = stores
  if (event.type === 'other' || event.roomName === null) return
  const session = await sessions.locateRoom(event.roomName, event.roomSid)
  if (!session) return
  if (event.type === 'room_finished') {
    const reason = session.joinedAt === null ? 'join_timeout' : 'participant_left'
    const end = { reason, at: new Date(now()), from: ENDED_BY_ROOM[session.kind], roomGone: true } as const
    const ended = await sessions.end(session, { ...end, billingUnitS: limits.billingUnitS })
    if (!ended) await sessions.roomGone(session)
    return
  }
  const isJoin = event.type === 'participant_joined'
  if (event.isAgent) {
    if (!isJoin) await sessions.agentLeft(session, event.at)
  } else if (event.identity === session.participantIdentity) {
    await (isJoin ? sessions.joined(session, event.at) : sessions.left(session, event.at))
  }
}
