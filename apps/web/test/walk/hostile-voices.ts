import { randomUUID } from 'node:crypto'
import { AgentId, checkedId, propertyOf, VoiceConfigurationId, VoiceSessionId } from '@troupe/contract'
import type { Journey } from '../journeys/journey.ts'
import { asOperator } from '../journeys/operator.ts'
import { HOSTILE_TEXT, hostileNames } from './hostile-texts.ts'

const MINUTE_MS = 60_000

/** A voice whose every text is hostile, and voice sessions in several states. Returns the id of the voice. */
export async function seedVoices(journey: Journey, agentId: string): Promise<string> {
  const name = hostileNames(120)
  const sentence = () => name().slice(0, 100)
  const fallback = { provider: 'openai', model: 'long-model-name-'.repeat(10), voice: sentence() }
  const made = await asOperator(journey, 'POST /voice-configurations', {
    ...{
      slug: `voice-${'long-'.repeat(11)}x`,
      agentId,
      sttProvider: 'local-pocketsphinx',
      ttsProvider: 'openai',
    },
    settings: {
      language: 'ar',
      stt: { grammar: [sentence(), sentence()] },
      tts: {
        ...{ model: fallback.model, voice: sentence(), fallbacks: [fallback, { provider: 'local-espeak' }] },
        baseUrl: `http://127.0.0.1:9/${'path/'.repeat(40)}v1`,
      },
      greeting: { text: HOSTILE_TEXT.slice(0, 400) },
      filler: { phrases: [sentence(), sentence()] },
      call: { voicemail: 'leave_message', voicemailText: sentence(), disclosureText: sentence() },
    },
  })
  const voiceConfigId = String(propertyOf(made, 'voiceConfigId'))
  await seedSessions(journey, agentId, voiceConfigId)
  return voiceConfigId
}

async function seedSessions(journey: Journey, agentId: string, voiceConfigId: string): Promise<void> {
  const { database } = journey.server.context
  const { organizationId } = journey.server.seed
  const agent = await database.read.agents.byId(organizationId, checkedId(AgentId, agentId))
  const [key] = await database.read.apiKeys.list(organizationId)
  if (!agent || !key) throw new Error('there is no agent, or no key')
  const now = Date.now()
  const { sessions, workers } = database.voice
  const worker = { workerId: 'walk', capacity: 10, draining: false, version: '1' }
  await workers.beat({ ...worker, sessionIds: [], callersPresent: [] }, new Date(now))
  for (const reason of ['participant_left', 'provider_error', null] as const) {
    const id = randomUUID()
    const session = {
      ...{
        id: checkedId(VoiceSessionId, id),
        organizationId,
        projectId: null,
        apiKeyId: key.id,
        agentId: agent.id,
      },
      ...{
        agentVersionId: agent.versionId,
        voiceConfigId: checkedId(VoiceConfigurationId, voiceConfigId),
        roomName: `vs_${id}`,
      },
      ...{ participantIdentity: 'caller', endUserRef: hostileNames(120)(), jobTokenHash: '0'.repeat(64) },
      createdAt: new Date(now - 10 * MINUTE_MS),
      phaseDeadline: new Date(now + 60 * MINUTE_MS),
      expiresAt: new Date(now + 60 * MINUTE_MS),
    }
    await sessions.openWeb(session, { slots: 5, workersSeenAfter: new Date(0) })
    const at = new Date(now - 9 * MINUTE_MS)
    await sessions.toWaiting(session, { roomSid: `RM_${id}`, phaseDeadline: session.phaseDeadline, at })
    await sessions.joined(session, at)
    if (reason !== null) await sessions.end(session, { reason, at: new Date(now), billingUnitS: 60 })
  }
}
