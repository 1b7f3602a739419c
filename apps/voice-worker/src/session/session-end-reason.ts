import { voice } from '@livekit/agents'
import type { WorkerEndReason } from '@troupe/voice-protocol'

/** Why a session ended that LiveKit's SDK closed by itself. */
export function endReasonOf(closeReason: string): WorkerEndReason {
  switch (closeReason) {
    case voice.CloseReason.ERROR:
      return 'provider_error'
    case voice.CloseReason.JOB_SHUTDOWN:
      return 'worker_draining'
    case voice.CloseReason.USER_INITIATED:
      return 'agent_ended'
    default:
      return 'participant_left'
  }
}
