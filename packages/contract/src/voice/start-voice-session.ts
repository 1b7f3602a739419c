import { Type } from 'typebox'
import { AgentParams } from '../agents/agent.ts'
import { defineOperation } from '../operation/operation.ts'
import { Uuid } from '../schema/formats.ts'
import type { AgentId, VoiceConfigurationId, VoiceSessionId } from '../schema/ids.ts'

/** A started voice session: the address and the token for its caller. */
const VoiceSession = Type.Object({
  sessionId: Uuid<VoiceSessionId>(),
  wsUrl: Type.String({ description: 'URL of the media server, for a real-time media client.' }),
  token: Type.String({ description: 'Token of the participant; it expires 60 minutes after issue.' }),
  agentId: Uuid<AgentId>(),
  voiceConfigId: Uuid<VoiceConfigurationId>(),
  end_user_ref: Type.Optional(Type.String({ description: 'As it was sent; absent when it was not.' })),
})

export const startVoiceSessionOperation = defineOperation({
  id: 'startVoiceSession',
  method: 'POST',
  path: '/api/v1/voice-agents/{agentId}/sessions',
  tag: 'Voice',
  summary: 'Start a voice session',
  description:
    'Creates a media room with the voice agent in it, and a token for one participant. A session ends after at most 3600 seconds; a key may have 5 at a time.',
  access: 'api_key',
  requestsPerMinute: 10,
  params: AgentParams,
  body: Type.Object({
    participantIdentity: Type.String({
      minLength: 1,
      maxLength: 256,
      description: 'Identity of the caller in the media room.',
    }),
    end_user_ref: Type.Optional(
      Type.String({
        maxLength: 512,
        description:
          'Opaque identifier of your customer, for cost attribution: a salted hash, a UUID or an internal id; without @.',
      }),
    ),
  }),
  success: { status: 200, description: 'The session to join.', body: VoiceSession },
  errors: [
    'validation_error',
    'forbidden',
    'voice_configuration_not_found',
    'end_user_ref_must_be_opaque',
    'concurrent_session_limit',
    'voice_infrastructure_unavailable',
  ],
})
