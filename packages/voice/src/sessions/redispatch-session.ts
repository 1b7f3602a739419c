import { agentIdentityOf } from '@troupe/contract/voice-worker'
import { MediaPlaneError } from '../media/media-plane.ts'
import { endSession } from './end-session.ts'
import { newJobToken } from './job-token.ts'
import type { VoiceSessionRecord } from './session.ts'
import type { Redispatch } from './session-store.ts'
import type { VoiceParts } from './voice-parts.ts'

/** A session survives this many lost workers. */
const MAX_LOSSES = 3
/** Maximum further dispatches after an agent that never became ready. */
const MAX_UNREADY = 2

/**
 * Hands a session to another worker. The row changes first: its new one-time token makes every job of the previous dispatch
 * end by itself. A dispatch that fails is repeated by the watch, as one whose agent never became ready.
 */
export async function redispatchSession(
  parts: VoiceParts,
  session: VoiceSessionRecord,
  cause: Redispatch['cause'],
): Promise<void> {
  const { media, stores, now, onFailure } = parts
  const isOver =
    (cause === 'loss' && session.losses >= MAX_LOSSES) ||
    (cause === 'unready' && session.unready >= MAX_UNREADY)
  if (isOver) {
    await endSession(parts, session, { reason: 'agent_unavailable' })
    return
  }
  const { dispatchMetadata, jobTokenHash } = newJobToken(session.id, session.dispatchAttempt + 1)
  const change = { formerAttempt: session.dispatchAttempt, jobTokenHash, at: new Date(now()), cause }
  const changed = await stores.sessions.redispatch(session, change)
  if (!changed) return
  try {
    const { roomName } = session
    const dispatchId = await media.redispatch({
      roomName,
      metadata: dispatchMetadata,
      formerDispatchId: session.dispatchId,
      agentIdentity: agentIdentityOf(session.id),
    })
    await stores.sessions.dispatched(changed, changed.dispatchAttempt, dispatchId)
  } catch (error) {
    if (!(error instanceof MediaPlaneError)) throw error
    onFailure('dispatching another voice worker', error)
  }
}
