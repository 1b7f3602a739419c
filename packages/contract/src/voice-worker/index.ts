export { VoiceServer } from './client/voice-server.ts'
export { VoiceServerError } from './client/voice-server-error.ts'
export type { VoiceSessionConnection } from './client/voice-session-connection.ts'
export {
  agentIdentityOf,
  DISPATCH_AGENT_NAME,
  type EndpointAnswer,
  type EndpointBody,
  type InternalEndpoint,
  RUN_ID_HEADER,
  SESSION_TOKEN_HEADER,
} from './endpoint/internal-endpoint.ts'
export { VOICE_ENDPOINTS } from './endpoints/voice-endpoints.ts'
export { ClaimedVoiceJob } from './jobs/claim-job.ts'
export { readDispatchMetadata } from './jobs/dispatch-metadata.ts'
export { SttChoice, TtsChoice } from './jobs/speech-choices.ts'
export { type JobEnd, SpeechUsage, type WorkerEndReason } from './sessions/end-session.ts'
export { SessionEvent } from './sessions/session-events.ts'
export { TranscriptItem, TurnMetrics } from './turns/store-items.ts'
export { TURN_ACTIONS, type TurnAction, TurnLine, TurnRequest } from './turns/take-turn.ts'
export { LostJob, WorkerHeartbeat, WorkerJob } from './workers/heartbeat.ts'
