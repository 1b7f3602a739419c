import {
  AgentId,
  type BodyOf,
  completeVoiceSettings,
  DomainError,
  type IdText,
  type OPERATIONS,
  parseId,
  type ResultOf,
} from '@troupe/contract'
import type { AgentRecord, Readers, VoiceConfigurationRecord } from '@troupe/storage'
import { startWebSession, type VoiceParts } from '@troupe/voice'
import type { Principal } from '../access/principal.ts'

type StartVoiceSession = (typeof OPERATIONS)['startVoiceSession']

/** Dependencies of a session start. */
export interface SessionStartParts {
  read: Pick<Readers, 'agents' | 'voiceConfigurations'>
  voice: VoiceParts
  /** The URL of the media server for callers. */
  publicWsUrl: string
}

/**
 * Starts a voice session with an agent. The key, the limits and the schema of the body have been checked before.
 *
 * @throws DomainError in this order: `end_user_ref_must_be_opaque`, `forbidden`, `voice_configuration_not_found`,
 * `voice_infrastructure_unavailable`, `voice_configuration_not_found` for a voice without a usable key,
 * `concurrent_session_limit`
 */
export async function startVoiceSession(
  { read, voice, publicWsUrl }: SessionStartParts,
  principal: Pick<Principal, 'organizationId' | 'projectId' | 'keyId'>,
  agentId: IdText<AgentId>,
  body: BodyOf<StartVoiceSession>,
): Promise<ResultOf<StartVoiceSession>> {
  const { participantIdentity, end_user_ref: endUserRef } = body
  if (endUserRef?.includes('@')) {
    throw new DomainError(
      'end_user_ref_must_be_opaque',
      "end_user_ref must be an opaque identifier and must not contain '@'.",
    )
  }
  const { agent, configuration } = await findVoiceAgent(read, principal, agentId)
  const started = await startWebSession(voice, {
    organizationId: principal.organizationId,
    projectId: agent.projectId,
    apiKeyId: principal.keyId,
    agentId: agent.id,
    agentVersionId: agent.versionId,
    voiceConfigId: configuration.id,
    participantIdentity,
    endUserRef: endUserRef ?? null,
    maxSessionS: completeVoiceSettings(configuration.settings).limits.maxSessionS,
  })
  return {
    sessionId: started.sessionId,
    wsUrl: publicWsUrl,
    token: started.token,
    agentId: agent.id,
    voiceConfigId: configuration.id,
    ...(endUserRef === undefined ? {} : { end_user_ref: endUserRef }),
  }
}

/** The same response for unknown, malformed and foreign ids, so that they cannot be enumerated. */
async function findVoiceAgent(
  read: SessionStartParts['read'],
  { organizationId, projectId }: Pick<Principal, 'organizationId' | 'projectId'>,
  agentId: IdText<AgentId>,
): Promise<{ agent: AgentRecord; configuration: VoiceConfigurationRecord }> {
  const key = parseId(AgentId, agentId)
  const [agent, configuration] = key
    ? await Promise.all([
        read.agents.byId(organizationId, key),
        read.voiceConfigurations.byAgent(organizationId, key),
      ])
    : [null, null]
  if (!agent || (projectId !== null && agent.projectId !== projectId)) {
    throw new DomainError('forbidden', 'This agent is not available to this API key.')
  }
  if (!configuration || agent.status === 'archived') {
    throw new DomainError('voice_configuration_not_found', 'This agent has no voice configuration.')
  }
  return { agent, configuration }
}
