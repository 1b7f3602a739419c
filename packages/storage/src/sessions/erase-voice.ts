import { type OrganizationId, parseId, VoiceSessionId } from '@troupe/contract'
import { IN_FLIGHT_STATES } from '@troupe/voice'
import { and, eq, sql } from 'drizzle-orm'
import type { Drizzle } from '../tables/drizzle/drizzle.ts'
import { voiceSessions } from '../tables/voice/voice-sessions.ts'
import { voiceTurns } from '../tables/voice/voice-turns.ts'
import type { SessionRecord } from './port.ts'

/** A session of runs, reduced to the fields that identify its voice session. */
export type NamedSession = Pick<SessionRecord, 'organizationId' | 'kind' | 'entityId' | 'sessionId'>

/** The voice session of a session of runs, which has the same id; null if there is none. */
async function voiceSessionOf(
  db: Drizzle,
  { organizationId, kind, entityId, sessionId }: NamedSession,
): Promise<{ id: VoiceSessionId; sessionState: string } | null> {
  const id: VoiceSessionId | null = kind === 'agent' ? parseId(VoiceSessionId, sessionId) : null
  if (id === null) return null
  const { agentId, sessionState } = voiceSessions
  const [found] = await db
    .select({ id: voiceSessions.id, agentId, sessionState })
    .from(voiceSessions)
    .where(isIt(organizationId, id))
    .for('update')
  return found && found.agentId === entityId ? found : null
}

/**
 * Erases the transcript, phone numbers and names of the voice session of a session of runs. Times, outcome and
 * cost are kept. The row is locked, so this waits for a concurrent end of the session.
 *
 * @returns false, with nothing erased, while it is in flight
 */
export async function eraseVoice(db: Drizzle, session: NamedSession): Promise<boolean> {
  const voice = await voiceSessionOf(db, session)
  if (!voice) return true
  if (IN_FLIGHT_STATES.some((state) => state === voice.sessionState)) return false
  const { organizationId } = session
  await db
    .delete(voiceTurns)
    .where(and(eq(voiceTurns.organizationId, organizationId), eq(voiceTurns.sessionId, voice.id)))
  await db
    .update(voiceSessions)
    .set({
      ...{ participantIdentity: '', endUserRef: null, toE164: null, fromE164: null, failureMessage: null },
      erasedAt: sql`now()`,
    })
    .where(isIt(organizationId, voice.id))
  return true
}

const isIt = (organizationId: OrganizationId, id: VoiceSessionId) =>
  and(eq(voiceSessions.organizationId, organizationId), eq(voiceSessions.id, id))
