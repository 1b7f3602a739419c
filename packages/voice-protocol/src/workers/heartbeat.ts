import { Choice, Nullable, Uuid } from '@troupe/contract'
import { type Static, Type } from 'typebox'
import { defineEndpoint } from '../endpoint/internal-endpoint.ts'

/** A job that runs in a child of the worker. Times are milliseconds since the epoch, by the worker's clock. */
export const WorkerJob = Type.Object({
  sid: Uuid(),
  state: Choice(['starting', 'ready', 'closing']),
  /** Calls: the SIP participant's `sip.callStatus`; null otherwise. */
  callStatus: Nullable(Type.String({ maxLength: 40 })),
  /** Calls: the SIP participant's `sip.callID`; null until it is known. */
  sipCallId: Nullable(Type.String({ maxLength: 200 })),
  /** Whether the caller or callee is in the room. */
  callerPresent: Type.Boolean(),
  lastTurnAt: Nullable(Type.Integer()),
})
export type WorkerJob = Static<typeof WorkerJob>

/** What a worker tells every two seconds, and at once when a child exits. */
export const WorkerHeartbeat = Type.Object({
  workerId: Type.String({ minLength: 1, maxLength: 200 }),
  version: Type.String({ maxLength: 100 }),
  capacity: Type.Integer({ minimum: 0 }),
  draining: Type.Boolean(),
  jobs: Type.Array(WorkerJob, { maxItems: 10_000 }),
  /** Sessions whose child has exited without reporting an end: they are lost. */
  exited: Type.Array(Uuid(), { maxItems: 10_000 }),
})
export type WorkerHeartbeat = Static<typeof WorkerHeartbeat>

/** `POST …/workers/heartbeat`: answers with the sessions that the worker must end because they are over. */
export const workerHeartbeat = defineEndpoint({
  method: 'POST',
  path: '/internal/voice/workers/heartbeat',
  needsSessionToken: false,
  body: WorkerHeartbeat,
  success: { status: 200, body: Type.Object({ end: Type.Array(Uuid()) }) },
})
