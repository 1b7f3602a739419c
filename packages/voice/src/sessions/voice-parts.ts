import type { NewId } from '@troupe/contract'
import type { MediaEventLog } from '../media/media-event-log.ts'
import type { MediaPlane } from '../media/media-plane.ts'
import type { SpeechKeys } from '../workers/speech-keys.ts'
import type { CallResults } from './call-results.ts'
import type { VoiceSessionStore, VoiceUpkeepStore } from './session-store.ts'

/** The dependencies of voice sessions. */
export interface VoiceParts {
  media: MediaPlane
  stores: VoicePartStores
  speech: SpeechKeys
  results: CallResults
  newId: NewId
  /** Milliseconds since the epoch. */
  now: () => number
  limits: VoiceLimits
  /** Called for media requests that failed in the background; upkeep repeats them. */
  onFailure: (task: string, error: unknown) => void
}

/** The `VoiceStores` that voice sessions use. */
export interface VoicePartStores {
  sessions: VoiceSessionStore
  upkeep: VoiceUpkeepStore
  events: MediaEventLog
  workers: {
    /** Whether a worker that was seen after `seenAfter` and is not draining has room for another job. */
    hasRoom(seenAfter: Date): Promise<boolean>
  }
}

/** Limits of the deployment. */
export interface VoiceLimits {
  /** Seconds that a session waits for its caller. */
  joinTimeoutS: number
  /** The longest session, in seconds. */
  maxSessionS: number
  /** Charges of calls are rounded up to multiples of this many seconds. */
  billingUnitS: number
}
