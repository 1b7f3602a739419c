import { MediaPlaneError } from '../media/media-plane.ts'
import { countUnseenFailure } from './call-results.ts'
import type { VoiceSessionKey, VoiceSessionRecord } from './session.ts'
import type { SessionEnd } from './session-store.ts'
import type { VoiceParts } from './voice-parts.ts'

type EndParts = Pick<VoiceParts, 'media' | 'stores' | 'results' | 'now' | 'limits' | 'onFailure'>

/** Milliseconds in which the creation of a room that timed out may still arrive at the media server. */
const LATE_CREATION_MS = 15_000

/**
 * Ends a session: always the row first, then the room, so that a process that dies between the two leaves a room,
 * which upkeep deletes, but never an occupied slot. Returns null when the session had ended already.
 */
export async function endSession(
  parts: EndParts,
  key: VoiceSessionKey,
  end: Omit<SessionEnd, 'at' | 'billingUnitS'>,
): Promise<VoiceSessionRecord | null> {
  const { stores, results, now, limits } = parts
  const at = new Date(now())
  const ended = await stores.sessions.end(key, { ...end, at, billingUnitS: limits.billingUnitS })
  if (ended) countUnseenFailure(results, ended, at.getTime())
  if (ended && !ended.roomGone) await deleteRoomOf(parts, ended)
  return ended
}

/** Deletes the room of an ended session. A failure is reported and left to upkeep, which tries again. */
export async function deleteRoomOf(
  { media, stores, now, onFailure }: EndParts,
  session: VoiceSessionRecord,
): Promise<void> {
  try {
    await media.deleteRoom(session.roomName, {
      isOccupied: session.joinedAt !== null || session.answeredAt !== null,
    })
  } catch (error) {
    if (!(error instanceof MediaPlaneError)) throw error
    onFailure('deleting a room', error)
    return
  }
  const mayStillComeUp =
    session.endedReason === 'start_failed' && now() < session.createdAt.getTime() + LATE_CREATION_MS
  if (!mayStillComeUp) await stores.sessions.roomGone(session)
}
