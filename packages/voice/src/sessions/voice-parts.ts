import type { AnyId } from '@troupe/contract'
import type { MediaEventLog } from '../media/media-event-log.ts'
import type { MediaPlane } from '../media/media-plane.ts'
import type { SpeechKeys } from '../workers/speech-keys.ts'
import type { CallResults } from './call-results.ts'
import type { VoiceSessionStore, VoiceUpkeepStore } from './session-store.ts'

/** What the life of voice sessions uses. */
export interface VoiceParts {
  media: MediaPlane
  stores: VoicePartStores
  speech: SpeechKeys
  results: CallResults
  newId: () => AnyId
  /** Milliseconds since the epoch. */
  now: () => number
  limits: VoiceLimits
  /** Hears of media requests that failed in the background; upkeep repeats them. */
  onFailure: (task: string, error: unknown) => void
}

/** Those of the `VoiceStores` that the life of sessions uses. */
export interface VoicePartStores {
  sessions: VoiceSessionStore
  upkeep: VoiceUpkeepStore
  events: MediaEventLog
  workers: {
    /** Whether a worker that was seen since then and is not draining has room for another job. */
    hasRoom(seenAfter: Date): Promise<boolean>
  }
}

/** Limits of the deployment. */
export interface VoiceLimits {
  /** How long a session waits for its caller, in seconds. */
  joinTimeoutS: number
  /** The longest session, in seconds. */
  maxSessionS: number
  /** Seconds that the charge of a call is rounded up to. */
  billingUnitS: number
}
