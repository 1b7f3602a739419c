import { MediaPlaneError } from '../media/media-plane.ts'
import { endSession } from '../sessions/end-session.ts'
import type { EndedReason, VoiceSessionRecord } from '../sessions/session.ts'
import type { VoiceParts } from '../sessions/voice-parts.ts'
import { inGroups } from './in-groups.ts'

/** Younger rooms may not have reached their media node yet. */
const YOUNGEST_MS = 10_000
/**
 * Time between the two responses after which a room counts as lost: one may come from a restarting media
 * node.
 */
const BETWEEN_MISSES_MS = 8_000

/** Ends sessions whose rooms ended without a webhook. */
export async function reconcileRooms(parts: VoiceParts): Promise<void> {
  const { stores, media, now } = parts
  if (!media.health().rooms) return
  const sessions = await stores.upkeep.withRooms(new Date(now() - YOUNGEST_MS))
  await inGroups(sessions, (session) => reconcile(parts, session))
}

async function reconcile(parts: VoiceParts, session: VoiceSessionRecord): Promise<void> {
  const isAlive = await askForRoom(parts, session)
  if (isAlive === null) return
  const { missedProbeAt } = session
  if (isAlive) {
    if (missedProbeAt !== null) await parts.stores.upkeep.missedProbe(session, null)
  } else if (missedProbeAt === null) {
    await parts.stores.upkeep.missedProbe(session, new Date(parts.now()))
  } else if (parts.now() - missedProbeAt.getTime() >= BETWEEN_MISSES_MS) {
    // Deleting a lost room clears what the media server still has stored of it.
    await endSession(parts, session, { reason: reasonOf(session, parts.now()) })
  }
}

/** null: not determined. */
async function askForRoom({ media }: VoiceParts, { roomName }: VoiceSessionRecord): Promise<boolean | null> {
  try {
    return await media.isRoomAlive(roomName)
  } catch (error) {
    if (error instanceof MediaPlaneError) return null
    throw error
  }
}

function reasonOf({ leftAt, joinedAt, phaseDeadline }: VoiceSessionRecord, now: number): EndedReason {
  if (leftAt !== null) return 'participant_left'
  const isOverdue = phaseDeadline !== null && phaseDeadline.getTime() <= now
  return joinedAt === null && isOverdue ? 'join_timeout' : 'media_lost'
}
