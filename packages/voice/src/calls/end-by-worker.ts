import { deleteRoomOf, endSession } from '../sessions/end-session.ts'
import { ENDED_REASONS, type EndedReason, type VoiceSessionRecord } from '../sessions/session.ts'
import type { VoiceParts } from '../sessions/voice-parts.ts'
import { CANCELED_MESSAGE } from './call-refusal.ts'
import { isDialerDead } from './unseen-answers.ts'

/**
 * Ends a session as its worker tells. A worker sees that the room of a call is gone, but not why nobody answered: an
 * unanswered call ends by the outcome of its dialing, and is canceled where the process that dialed is dead.
 *
 * The answer may race this: either it finds the row ended and the callee is hung up, or the row is active and ends as told.
 */
export async function endByWorker(
  parts: VoiceParts,
  session: VoiceSessionRecord,
  end: { reason: EndedReason; usage: unknown },
): Promise<void> {
  const { reason, usage } = end
  if (session.kind === 'web' || ENDED_REASONS[reason] === 'failed')
    return void (await endSession(parts, session, end))
  if (isDialerDead(session, parts.now())) {
    const canceled = {
      reason: 'canceled',
      failureReason: 'canceled',
      failureMessage: CANCELED_MESSAGE,
    } as const
    if (await endSession(parts, session, { ...canceled, usage, from: ['dialing'] })) return
  }
  if (await endSession(parts, session, { ...end, from: ['active'] })) return
  // Without its agent nobody may answer it: the carrier gets CANCEL, and who dials hears of that.
  const row = await parts.stores.sessions.byKey(session)
  if (row?.sessionState === 'dialing') await deleteRoomOf(parts, row)
}
