import { type Static, Type } from 'typebox'
import { Choice } from '../../schema/choice.ts'
import { Uuid } from '../../schema/formats.ts'
import type { VoiceSessionId } from '../../schema/ids.ts'
import { Nullable } from '../../schema/nullable.ts'
import { StoredCount, StoredTime } from '../endpoint/integers.ts'
import { defineEndpoint } from '../endpoint/internal-endpoint.ts'

/** A job that runs in a child of the worker. Times are milliseconds since the epoch, by the worker's clock. */
export const WorkerJob = Type.Object({
  sid: Uuid<VoiceSessionId>(),
  /** The number of the dispatch within the session, from 1. */
  attempt: StoredCount(1),
  state: Choice(['starting', 'ready', 'closing']),
  /** Calls: the SIP participant's `sip.callStatus`; null otherwise. */
  callStatus: Nullable(Type.String({ maxLength: 40 })),
  /** Calls: the SIP participant's `sip.callID`; null until it is known. */
  sipCallId: Nullable(Type.String({ maxLength: 200 })),
  /** Whether the caller or callee is in the room. */
  callerPresent: Type.Boolean(),
  lastTurnAt: Nullable(StoredTime()),
})
export type WorkerJob = Static<typeof WorkerJob>

export const LostJob = Type.Pick(WorkerJob, ['sid', 'attempt'])
export type LostJob = Static<typeof LostJob>

/** The report of a worker every two seconds, and at once when a child exits. */
export const WorkerHeartbeat = Type.Object({
  workerId: Type.String({ minLength: 1, maxLength: 200 }),
  version: Type.String({ maxLength: 100 }),
  capacity: StoredCount(),
  draining: Type.Boolean(),
  jobs: Type.Array(WorkerJob, { maxItems: 10_000 }),
  /** Jobs whose child has exited without reporting an end: their sessions are lost, unless a later dispatch serves them. */
  exited: Type.Array(LostJob, { maxItems: 10_000 }),
})
export type WorkerHeartbeat = Static<typeof WorkerHeartbeat>

/** `POST …/workers/heartbeat`: answers with the sessions that the worker must end because they are over. */
export const workerHeartbeat = defineEndpoint({
  method: 'POST',
  path: '/internal/voice/workers/heartbeat',
  needsSessionToken: false,
  body: WorkerHeartbeat,
  success: { status: 200, body: Type.Object({ end: Type.Array(Uuid<VoiceSessionId>()) }) },
})
