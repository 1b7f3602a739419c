import { voice } from '@livekit/agents'
import type { WorkerEndReason } from '@troupe/contract/voice-worker'

/** The end reason for a session closed by LiveKit's SDK; null: the job was shut down, and the conversation is not over. */
export function endReasonOf(closeReason: string): WorkerEndReason | null {
  switch (closeReason) {
    case voice.CloseReason.ERROR:
      return 'provider_error'
    // The SDK reports a job shutdown like a close by this program.
    case voice.CloseReason.JOB_SHUTDOWN:
    case voice.CloseReason.USER_INITIATED:
      return null
    default:
      return 'participant_left'
  }
}
