export type { CallAlert, CallAlerts } from './calls/call-alerts.ts'
export { type CallCounts, rateWindow } from './calls/call-caps.ts'
export { CallDesk } from './calls/call-desk.ts'
export type { CallOutcome } from './calls/call-outcome.ts'
export type { CallLimits, CallParts } from './calls/call-parts.ts'
export type { CallRefusal } from './calls/call-refusal.ts'
export type { CallRequest } from './calls/call-request.ts'
export type * from './calls/call-store.ts'
export { CallWatch } from './calls/call-watch.ts'
export { endByWorker } from './calls/end-by-worker.ts'
export { takeUnseenAnswers } from './calls/unseen-answers.ts'
export { canonicalNumber } from './destinations/canonical-number.ts'
export type { DestinationPolicy } from './destinations/destination.ts'
export type { NumberFormat } from './destinations/dial-string.ts'
export { knownCountry } from './destinations/known-country.ts'
export { isTimeZone, type QuietHours } from './destinations/quiet-hours.ts'
export { MediaEvents } from './events/media-events.ts'
export { extendCallLease } from './leases/extend-lease.ts'
export type { LeaseStore } from './leases/lease-store.ts'
export type { MediaEvent, MediaEventOrigin } from './media/media-event.ts'
export type { MediaEventLog } from './media/media-event-log.ts'
export {
  type CallFailureReason,
  type MediaHealth,
  type MediaPlane,
  MediaPlaneError,
  type NewCall,
  type NewRoom,
  type Redispatched,
  type TrunkSettings,
  UnansweredCall,
} from './media/media-plane.ts'
export { noMediaPlane } from './media/no-media-plane.ts'
export type { CallResults } from './sessions/call-results.ts'
export { hashVoiceToken } from './sessions/job-token.ts'
export { redispatchSession } from './sessions/redispatch-session.ts'
export * from './sessions/session.ts'
export type * from './sessions/session-store.ts'
export { type SessionRequest, startWebSession } from './sessions/start-session.ts'
export type * from './sessions/turn-store.ts'
export type { VoiceLimits, VoiceParts } from './sessions/voice-parts.ts'
export { maySpeakOn } from './trunks/may-speak-on.ts'
export {
  provisionPhoneTrunk,
  provisionWaitingTrunks,
  removeMediaTrunk,
  type TrunkProvisioning,
} from './trunks/provision-trunk.ts'
export { isFullyProvisioned, type PhoneNumberRecord, type PhoneTrunkRecord } from './trunks/trunk.ts'
export type * from './trunks/trunk-store.ts'
export { TurnLines } from './turns/turn-lines.ts'
export { reapSessions } from './upkeep/reap-sessions.ts'
export { reconcileRooms } from './upkeep/reconcile-rooms.ts'
export { WorkerWatch } from './upkeep/worker-watch.ts'
export type { VoiceStores } from './voice-stores.ts'
export type { AgentVoice, SpeechKeys } from './workers/speech-keys.ts'
export { speechProviders } from './workers/speech-providers.ts'
export type * from './workers/worker-store.ts'
