import { countUnseenFailure } from '../sessions/call-results.ts'
import { deleteRoomOf } from '../sessions/end-session.ts'
import type { VoiceSessionRecord } from '../sessions/session.ts'
import type { VoiceParts } from '../sessions/voice-parts.ts'
import { inGroups } from './in-groups.ts'

/** Sessions of one round; the next one is five seconds later. */
const ROUND = 100
/** The deletion of an ended session's room is repeated for this long; afterwards, the media server has closed it itself. */
const DELETE_MS = 60 * 60_000

/**
 * Ends sessions past their limit or that of their phase, and deletes the rooms of ended sessions until the media
 * server no longer has them. Any number of processes may do this concurrently.
 */
export async function reapSessions(parts: VoiceParts): Promise<void> {
  const { stores, media, results, now, limits } = parts
  const { billingUnitS } = limits
  const at = now()
  const overdue = await stores.upkeep.endOverdue(new Date(at), { billingUnitS, limit: ROUND })
  for (const session of overdue) countUnseenFailure(results, session, at)
  const rooms = await stores.upkeep.roomsToDelete(ROUND)
  const isGivenUp = ({ endedAt }: VoiceSessionRecord) =>
    endedAt !== null && endedAt.getTime() + DELETE_MS < now()
  for (const session of rooms.filter(isGivenUp)) await stores.sessions.roomGone(session)
  if (!media.health().rooms) return
  await inGroups(
    rooms.filter((session) => !isGivenUp(session)),
    (session) => deleteRoomOf(parts, session),
  )
}
