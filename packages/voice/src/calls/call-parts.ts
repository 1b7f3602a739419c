import type { NewId } from '@troupe/contract'
import type { MediaPlane } from '../media/media-plane.ts'
import type { CallResults } from '../sessions/call-results.ts'
import type { VoiceSessionStore } from '../sessions/session-store.ts'
import type { TrunkProvisioning } from '../trunks/provision-trunk.ts'
import type { SpeechKeys } from '../workers/speech-keys.ts'
import type { VoiceWorkerStore } from '../workers/worker-store.ts'
import type { CallAlerts } from './call-alerts.ts'
import type { CallStore } from './call-store.ts'

/** The dependencies of placing a call. */
export interface CallParts {
  media: MediaPlane
  calls: CallStore
  sessions: Pick<VoiceSessionStore, 'byKey' | 'end' | 'roomGone'>
  workers: Pick<VoiceWorkerStore, 'hasRoom'>
  speech: SpeechKeys
  provisioning: TrunkProvisioning
  alerts: CallAlerts
  results: CallResults
  newId: NewId
  now: () => number
  limits: CallLimits
}

/** Limits of the deployment. */
export interface CallLimits {
  /** Ceiling for the ringing timeout of trunks, in seconds. */
  maxRingingS: number
  /** The longest conversation, in seconds. */
  maxSessionS: number
  /** Charges are rounded up to multiples of this many seconds. */
  billingUnitS: number
  /** Calls of a trunk in its first 24 hours; 0: any number. */
  newTrunkCalls: number
  /** Milliseconds for a worker to accept the job, and for its agent to be ready after the answer. */
  acceptMs: number
  readyMs: number
}
