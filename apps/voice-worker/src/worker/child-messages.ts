import { isJsonObject } from '@troupe/contract'
import type { LostJob, WorkerJob } from '@troupe/contract/voice-worker'

/** A job whose child has not reported yet. */
export function startingJob(job: LostJob): WorkerJob {
  return {
    ...job,
    state: 'starting',
    callStatus: null,
    sipCallId: null,
    callerPresent: false,
    lastTurnAt: null,
  }
}

/** Status message of a job's child to the worker's parent process, beside LiveKit's own messages. */
export interface ChildStatus {
  case: 'troupeStatus'
  job: WorkerJob
  /** Whether the end was reported to the server, or that another worker must take over. */
  endReported: boolean
}

/** An order of the parent to the child of a job. */
export interface ParentOrder {
  case: 'troupeOrder'
  /** `end`: the session is over. `hand_over`: this worker stops, and another one takes the session. */
  order: 'end' | 'hand_over'
}

/** LiveKit's messages have other cases; both sides ignore unknown cases. */
export function isChildStatus(message: unknown): message is ChildStatus {
  return isJsonObject(message) && message.case === 'troupeStatus'
}

export function isParentOrder(message: unknown): message is ParentOrder {
  return isJsonObject(message) && message.case === 'troupeOrder'
}
