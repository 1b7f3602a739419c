import { randomBytes } from 'node:crypto'
import { parseId, VoiceSessionId } from '@troupe/contract'
import { type LostJob, VOICE_ENDPOINTS } from '@troupe/contract/voice-worker'
import type { App } from '@troupe/http/server-types'
import type { VoiceMetrics } from '@troupe/telemetry/voice-metrics'
import {
  hashVoiceToken,
  IN_FLIGHT_STATES,
  redispatchSession,
  takeUnseenAnswers,
  type VoiceParts,
  type VoiceStores,
} from '@troupe/voice'
import type { ClaimedJobs } from './claimed-jobs.ts'
import { refuseJob, registerWorkerEndpoint, sessionIdOf } from './register-endpoint.ts'

interface WorkerRoutes {
  workers: VoiceStores['workers']
  calls: VoiceStores['calls']
  jobs: ClaimedJobs
  metrics: VoiceMetrics
}

/** Endpoints without a session token: heartbeats and claims of jobs. */
export function registerWorkerEndpoints(
  app: App,
  parts: VoiceParts,
  { workers, calls, jobs, metrics }: WorkerRoutes,
): void {
  const { stores, results, now } = parts

  registerWorkerEndpoint(app, VOICE_ENDPOINTS.workerHeartbeat, async ({ body }) => {
    const { workerId, version, capacity, draining } = body
    const named = body.jobs.flatMap(({ sid, ...job }) => {
      const sessionId = parseId(VoiceSessionId, sid)
      return sessionId ? [{ sessionId, ...job }] : []
    })
    metrics.workerSeen(workerId, { jobs: named.length, capacity, seenAt: now() })
    const sessionIds = named.map(({ sessionId }) => sessionId)
    const present = named.filter(({ callerPresent }) => callerPresent)
    const callersPresent = present.map(({ sessionId }) => sessionId)
    const beat = { workerId, version, capacity, draining, sessionIds, callersPresent }
    const { end } = await workers.beat(beat, new Date(now()))
    await takeUnseenAnswers({ calls, results, now }, workerId, named)
    for (const job of body.exited) await lost(parts, job, workerId)
    return { end: [...end] }
  })

  registerWorkerEndpoint(app, VOICE_ENDPOINTS.acceptSession, async ({ body, request, reply }) => {
    const session = await stores.sessions.locate(sessionIdOf(request))
    const isAccepted = session && (await stores.sessions.accepted(session, body.workerId, new Date(now())))
    if (!isAccepted) return refuseJob(reply, 410)
  })

  registerWorkerEndpoint(app, VOICE_ENDPOINTS.claimJob, async ({ body, reply }) => {
    const id = parseId(VoiceSessionId, body.sid)
    const sessionToken = randomBytes(32).toString('base64url')
    const tokens = { jobTokenHash: hashVoiceToken(body.t), sessionTokenHash: hashVoiceToken(sessionToken) }
    const session = id && (await stores.sessions.locate(id))
    if (!session || !IN_FLIGHT_STATES.some((state) => state === session.sessionState)) {
      return refuseJob(reply, 410)
    }
    const read = await jobs.read(session)
    const claim = await stores.sessions.claim(session.id, { ...tokens, at: new Date(now()) })
    if (claim.status !== 'claimed') {
      return refuseJob(reply, claim.status === 'used' ? 409 : 410)
    }
    return jobs.of(claim.session, sessionToken, read)
  })
}

/**
 * A child of the worker has died: another one takes over the session, unless one already has. That may be on the same worker: a
 * replaced child often exits late, and only its attempt tells the two apart.
 */
async function lost(parts: VoiceParts, { sid, attempt }: LostJob, workerId: string): Promise<void> {
  const id = parseId(VoiceSessionId, sid)
  const session = id && (await parts.stores.sessions.locate(id))
  const isInFlight = IN_FLIGHT_STATES.some((state) => state === session?.sessionState)
  const isServed = session?.workerId === workerId && session.dispatchAttempt === attempt
  if (!session || !isInFlight || !isServed) return
  await redispatchSession(parts, session, session.agentReadyAt === null ? 'unready' : 'loss')
}
