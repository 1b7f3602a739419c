import type { VoiceSessionId } from '@troupe/contract'

/** A worker that was silent for longer counts as dead. */
export const WORKER_SILENCE_MS = 10_000

/** Only workers that were seen since then can take a job at `at` (milliseconds since the epoch). */
export function workersSeenAfter(at: number): Date {
  return new Date(at - WORKER_SILENCE_MS)
}

/** A heartbeat of a voice worker. */
export interface WorkerBeat {
  workerId: string
  capacity: number
  draining: boolean
  version: string
  /** The sessions whose jobs run in this worker. */
  sessionIds: readonly VoiceSessionId[]
  /** The sessions among them whose caller or callee is in the room. */
  callersPresent: readonly VoiceSessionId[]
}

/** The processes that run voice sessions in rooms. */
export interface VoiceWorkerStore {
  /**
   * Records the heartbeat and, on the sessions that it names, when they were seen. A session in the browser whose
   * caller is present becomes active, even without a webhook. Returns those of them that the worker must end: ended
   * sessions, and sessions that another worker has.
   */
  beat(beat: WorkerBeat, now: Date): Promise<{ end: VoiceSessionId[] }>
  /** Whether a worker that was seen since `seenAfter` and is not draining has room for another job. */
  hasRoom(seenAfter: Date): Promise<boolean>
  /** Deletes workers that were not seen since `before`. */
  sweep(before: Date): Promise<void>
}
