import { createHash, randomBytes } from 'node:crypto'
import type { VoiceSessionId } from '@troupe/contract'

/**
 * A one-time token with which a worker claims its job, and the metadata of the dispatch that carries it. Dispatch
 * metadata is stored by the media server, so it names nothing but the session and its `attempt`, from 1.
 */
export function newJobToken(
  sessionId: VoiceSessionId,
  attempt: number,
): { dispatchMetadata: string; jobTokenHash: string } {
  const token = randomBytes(32).toString('base64url')
  return {
    dispatchMetadata: JSON.stringify({ v: 1, sid: sessionId, n: attempt, t: token }),
    jobTokenHash: hashVoiceToken(token),
  }
}

/** The stored form of a job token or session token. */
export function hashVoiceToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
