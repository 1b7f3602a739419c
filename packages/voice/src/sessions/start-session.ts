import {
  type AgentId,
  type AgentVersionId,
  type ApiKeyId,
  type OrganizationId,
  type ProjectId,
  type VoiceConfigurationId,
  VoiceSessionId,
} from '@troupe/contract'
import { MediaPlaneError } from '../media/media-plane.ts'
import { workersSeenAfter } from '../workers/worker-store.ts'
import { deleteRoomOf } from './end-session.ts'
import { newJobToken } from './job-token.ts'
import { noUsableKey, SESSIONS_PER_KEY, tooManySessions, voiceUnavailable } from './refusals.ts'
import type { NewWebSession } from './session-store.ts'
import type { VoiceParts } from './voice-parts.ts'

/** The time limit for creating a room; the whole start fails after it. */
const START_MS = 15_000
/** The media server closes an unjoined room itself; this closes the row if the server does not report it. */
const JOIN_MARGIN_MS = 5_000
/** Seconds that a caller has to reconnect. */
const DEPARTURE_TIMEOUT_S = 20
const NO_ROOM = 'no voice worker has capacity'

/** A session that a key may have: its agent and voice configuration are checked. */
export interface SessionRequest {
  organizationId: OrganizationId
  projectId: ProjectId | null
  apiKeyId: ApiKeyId
  agentId: AgentId
  agentVersionId: AgentVersionId
  voiceConfigId: VoiceConfigurationId
  participantIdentity: string
  endUserRef: string | null
  /** Limit of the configuration in seconds; the deployment's may be lower. */
  maxSessionS: number
}

/** A started session, with the token of its caller. */
export interface StartedSession {
  sessionId: VoiceSessionId
  token: string
}

/**
 * Starts a session in the browser: takes a slot of the key, creates the room with the agent's dispatch in one request,
 * and mints the caller's token. A failure on the way releases the slot.
 *
 * @throws DomainError `voice_infrastructure_unavailable`, `voice_configuration_not_found` or `concurrent_session_limit`
 */
export async function startWebSession(parts: VoiceParts, request: SessionRequest): Promise<StartedSession> {
  const { media, stores, now, limits } = parts
  if (!media.health().rooms) throw voiceUnavailable('the media server is down')
  if (!(await stores.workers.hasRoom(workersSeenAfter(now())))) throw voiceUnavailable(NO_ROOM)
  if (!(await parts.speech.canConverse(request))) throw noUsableKey()
  const { session, dispatchMetadata } = newWebSession(parts, request)
  // Another start may have taken the last place in the meantime.
  const limit = { slots: SESSIONS_PER_KEY, workersSeenAfter: workersSeenAfter(now()) }
  const opening = await stores.sessions.openWeb(session, limit)
  if (opening === 'no_slot') throw tooManySessions()
  if (opening === 'no_room') throw voiceUnavailable(NO_ROOM)
  const roomSid = await createRoomOf(parts, session, dispatchMetadata)
  const { id: sessionId, roomName, participantIdentity: identity } = session
  const token = await media.mintToken({ roomName, identity, sessionId })
  const at = now()
  const phaseDeadline = new Date(at + limits.joinTimeoutS * 1_000 + JOIN_MARGIN_MS)
  if (await stores.sessions.toWaiting(session, { roomSid, phaseDeadline, at: new Date(at) })) {
    return { sessionId, token }
  }
  // Upkeep ended the row while the room was created.
  const ended = await stores.sessions.byKey(session)
  if (ended) await deleteRoomOf(parts, ended)
  throw voiceUnavailable('the start took too long')
}

function newWebSession({ newId, now, limits }: VoiceParts, { maxSessionS, ...request }: SessionRequest) {
  const id: VoiceSessionId = newId(VoiceSessionId)
  const { dispatchMetadata, jobTokenHash } = newJobToken(id, 1)
  const at = now()
  const session: NewWebSession = {
    ...request,
    id,
    roomName: `vs_${id}`,
    createdAt: new Date(at),
    phaseDeadline: new Date(at + START_MS),
    expiresAt: new Date(at + Math.min(limits.maxSessionS, maxSessionS) * 1_000),
    jobTokenHash,
  }
  return { session, dispatchMetadata }
}

/** Creates the room. A room that may exist although the request failed is left to upkeep, which deletes it. */
async function createRoomOf(
  parts: VoiceParts,
  session: NewWebSession,
  dispatchMetadata: string,
): Promise<string> {
  try {
    const { roomSid } = await parts.media.createRoom({
      roomName: session.roomName,
      // The caller can read it.
      metadata: JSON.stringify({ sid: session.id }),
      dispatchMetadata,
      emptyTimeoutS: parts.limits.joinTimeoutS,
      departureTimeoutS: DEPARTURE_TIMEOUT_S,
    })
    return roomSid
  } catch (error) {
    const isKnown = error instanceof MediaPlaneError
    const at = new Date(parts.now())
    const roomGone = isKnown && !error.mayHaveHappened
    const { billingUnitS } = parts.limits
    await parts.stores.sessions.end(session, { reason: 'start_failed', at, roomGone, billingUnitS })
    if (!isKnown) throw error
    throw voiceUnavailable(`the room was not created: ${error.message}`, error)
  }
}
