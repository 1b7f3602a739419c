import type { VoiceSessionId } from '@troupe/contract'
import { AccessToken, TrackSource } from 'livekit-server-sdk'

/** Independent of a session's own limit: the spec promises 60 minutes. */
const TOKEN_SECONDS = 3600

/**
 * A token for one participant of one room: it may speak, hear and send text, but has no administrative rights. The SDK writes no `iat`;
 * `exp − nbf` is 3600.
 */
export function participantToken(
  { apiKey, apiSecret }: { apiKey: string; apiSecret: string },
  participant: { roomName: string; identity: string; sessionId: VoiceSessionId },
): Promise<string> {
  const token = new AccessToken(apiKey, apiSecret, {
    identity: participant.identity,
    ttl: TOKEN_SECONDS,
    attributes: { 'troupe.sid': participant.sessionId },
  })
  token.addGrant({
    room: participant.roomName,
    roomJoin: true,
    canPublish: true,
    canPublishSources: [TrackSource.MICROPHONE],
    canSubscribe: true,
    canPublishData: true,
    canUpdateOwnMetadata: false,
  })
  return token.toJwt()
}
