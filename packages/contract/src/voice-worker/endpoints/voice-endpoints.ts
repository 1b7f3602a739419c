import { claimJobEndpoint } from '../jobs/claim-job.ts'
import { acceptSession } from '../sessions/accept-session.ts'
import { endSessionEndpoint } from '../sessions/end-session.ts'
import { extendLease } from '../sessions/extend-lease.ts'
import { sessionEvents } from '../sessions/session-events.ts'
import { sessionReady } from '../sessions/session-ready.ts'
import { storeItems } from '../turns/store-items.ts'
import { takeTurn } from '../turns/take-turn.ts'
import { workerHeartbeat } from '../workers/heartbeat.ts'

/** Every request of a voice worker to the server. */
export const VOICE_ENDPOINTS = {
  workerHeartbeat,
  acceptSession,
  claimJob: claimJobEndpoint,
  sessionReady,
  sessionEvents,
  takeTurn,
  storeItems,
  extendLease,
  endSession: endSessionEndpoint,
} as const
