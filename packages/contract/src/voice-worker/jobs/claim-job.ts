import { type Static, Type } from 'typebox'
import { Choice } from '../../schema/choice.ts'
import { Uuid } from '../../schema/formats.ts'
import type { AgentId, VoiceSessionId } from '../../schema/ids.ts'
import { Nullable } from '../../schema/nullable.ts'
import type { CompleteVoiceSettings } from '../../voice/complete-voice-settings.ts'
import { defineEndpoint } from '../endpoint/internal-endpoint.ts'
import { SttChoice, TtsChoice } from './speech-choices.ts'

/** An earlier utterance of the session. */
const SpokenLine = Type.Object({
  role: Choice(['user', 'assistant']),
  text: Type.String(),
  interrupted: Type.Boolean(),
})

/** Everything that a job needs to serve its session. Times are milliseconds since the epoch, by the server's clock. */
export const ClaimedVoiceJob = Type.Object({
  sessionId: Uuid<VoiceSessionId>(),
  /** Sent with every later request of this session. */
  sessionToken: Type.String(),
  kind: Choice(['web', 'outbound_call']),
  /** The participant to listen to. */
  participantIdentity: Type.String(),
  agent: Type.Object({ agentId: Uuid<AgentId>(), name: Type.String() }),
  /** Every default is filled in. */
  settings: Type.Unsafe<CompleteVoiceSettings>({ type: 'object' }),
  /** In the order of attempts; empty: the last usable key was removed, and the session ends as `provider_error`. */
  stt: Type.Array(SttChoice),
  tts: Type.Array(TtsChoice),
  /** CIDR ranges, besides public addresses, permitted for providers of speech. */
  allowedNetworks: Type.Array(Type.String()),
  /** Oldest first; not empty if another worker has served this session before. */
  transcript: Type.Array(SpokenLine),
  /** The number of the next turn. */
  nextTurnSeq: Type.Integer({ minimum: 1 }),
  /** The server's clock when it responded. */
  now: Type.Integer(),
  expiresAt: Type.Integer(),
  /** Calls: whether the callee has answered. */
  answered: Type.Boolean(),
  /** Calls: when the reserved minutes end; null for a web session and before the answer. */
  leaseUntil: Nullable(Type.Integer()),
})
export type ClaimedVoiceJob = Static<typeof ClaimedVoiceJob>

/** `POST …/jobs/claim`: 409 for a token that was used, 410 for a session that is over. */
export const claimJobEndpoint = defineEndpoint({
  method: 'POST',
  path: '/internal/voice/jobs/claim',
  needsSessionToken: false,
  body: Type.Object({ sid: Uuid<VoiceSessionId>(), t: Type.String({ minLength: 1, maxLength: 200 }) }),
  success: { status: 200, body: ClaimedVoiceJob },
})
