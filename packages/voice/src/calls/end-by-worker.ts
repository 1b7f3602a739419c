import { isDialerDead } from '../sessions/call-results.ts'
import { deleteRoomOf, endSession } from '../sessions/end-session.ts'
import { ENDED_REASONS, type EndedReason, type VoiceSessionRecord } from '../sessions/session.ts'
import type { VoiceParts } from '../sessions/voice-parts.ts'
import { CANCELED_MESSAGE } from './call-refusal.ts'

/** The time within which the dialing process learns that a call's room was deleted, and ends the call. */
const OUTCOME_MS = 5_000

/**
 * Ends a session as reported by its worker. A worker detects that the room of a call is gone, but not why the call was
 * unanswered: an unanswered call ends with the outcome of its dialing, or is canceled if the dialing process is dead or
 * reports nothing.
 *
 * The race: an answer finds the row ended, and the callee is hung up; or the row is active, and ends as requested.
 */
export async function endByWorker(
  parts: VoiceParts,
  session: VoiceSessionRecord,
  end: { reason: EndedReason; usage: unknown },
): Promise<void> {
  const { stores, now } = parts
  if (session.kind === 'web' || ENDED_REASONS[end.reason] === 'failed') {
    await endSession(parts, session, end)
    return
  }
  if (isDialerDead(session, now())) {
    const canceled = {
      reason: 'canceled',
      failureReason: 'canceled',
      failureMessage: CANCELED_MESSAGE,
    } as const
    if (await endSession(parts, session, { ...canceled, usage: end.usage, from: ['dialing'] })) return
  }
  if (await endSession(parts, session, { ...end, from: ['active'] })) return
  // Without an agent the call must not be answered: the carrier gets CANCEL, which the dialing process
  // detects.
  const deadline = new Date(now() + OUTCOME_MS)
  if (await stores.sessions.phaseEndsBy(session, deadline)) await deleteRoomOf(parts, session)
}
