import { voice } from '@livekit/agents'
import type { WorkerEndReason } from '@troupe/contract/voice-worker'

/** Why a session ended that LiveKit's SDK closed by itself; null: the job was shut down, and the conversation is not over. */
export function endReasonOf(closeReason: string): WorkerEndReason | null {
  switch (closeReason) {
    case voice.CloseReason.ERROR:
      return 'provider_error'
    // The SDK closes the session of a job that it shuts down as if this program had asked for it.
    case voice.CloseReason.JOB_SHUTDOWN:
    case voice.CloseReason.USER_INITIATED:
      return null
    default:
      return 'participant_left'
  }
}
