import { isJsonObject } from '@troupe/contract'
import type { LostJob, WorkerJob } from '@troupe/contract/voice-worker'

/** A job that a child has not described yet. */
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

/** What the child of a job tells the worker's parent process, beside LiveKit's own messages. */
export interface ChildStatus {
  case: 'troupeStatus'
  job: WorkerJob
  /** Whether the server was told how the session ended, or that another worker must take over. */
  endReported: boolean
}

/** What the parent tells the child of a job. */
export interface ParentOrder {
  case: 'troupeOrder'
  /** `end`: the session is over. `hand_over`: this worker stops, and another one takes the session. */
  order: 'end' | 'hand_over'
}

/** LiveKit's messages have other cases; both sides ignore cases that they do not know. */
export function isChildStatus(message: unknown): message is ChildStatus {
  return isJsonObject(message) && message.case === 'troupeStatus'
}

export function isParentOrder(message: unknown): message is ParentOrder {
  return isJsonObject(message) && message.case === 'troupeOrder'
}
