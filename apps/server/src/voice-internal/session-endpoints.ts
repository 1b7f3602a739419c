import { checkedId, isUuid, RunId } from '@troupe/contract'
import { type TranscriptItem, VOICE_ENDPOINTS } from '@troupe/contract/voice-worker'
import type { App } from '@troupe/http/server-types'
import type { VoiceMetrics } from '@troupe/telemetry/voice-metrics'
import {
  endByWorker,
  redispatchSession,
  type VoiceParts,
  type VoiceSessionRecord,
  type VoiceStores,
} from '@troupe/voice'
import { refuseJob, registerSessionEndpoint } from './register-endpoint.ts'

/** Requests more minutes for a call. */
export type ExtendLease = (
  session: VoiceSessionRecord,
) => Promise<{ leaseUntil: number | null; granted: boolean }>

interface SessionRoutes {
  turns: VoiceStores['turns']
  extendLease: ExtendLease
  metrics: VoiceMetrics
}

/** Reports of a session's worker: ready, transcripts, and the end. */
export function registerSessionEndpoints(
  app: App,
  parts: VoiceParts,
  { turns, extendLease, metrics }: SessionRoutes,
): void {
  const { stores, now } = parts
  const { sessions } = stores

  registerSessionEndpoint(app, sessions, VOICE_ENDPOINTS.sessionReady, async ({ session, reply }) => {
    const isThere = await sessions.ready(session, new Date(now()))
    if (!isThere) return refuseJob(reply, 410)
  })

  registerSessionEndpoint(app, sessions, VOICE_ENDPOINTS.storeItems, async ({ session, body }) => {
    await turns.append(session, body.items.map(asTurn))
    for (const item of body.items) metrics.turnMeasured(item.metrics)
    return undefined
  })

  registerSessionEndpoint(app, sessions, VOICE_ENDPOINTS.extendLease, ({ session }) => extendLease(session))

  registerSessionEndpoint(app, sessions, VOICE_ENDPOINTS.endSession, async ({ session, body }) => {
    const { reason, usage, failoverUsed, timings } = body
    metrics.jobEnded(session.kind, reason)
    if (failoverUsed) await sessions.failedOver(session)
    if (reason === 'worker_draining') return void (await redispatchSession(parts, session, 'draining'))
    await endByWorker(parts, session, { reason, usage: { speech: usage, timings } })
  })
}

function asTurn({ itemId, role, text, interrupted, runId, metrics, createdAt }: TranscriptItem) {
  return {
    itemId,
    role,
    text,
    interrupted,
    runId: isUuid(runId) ? checkedId(RunId, runId) : null,
    metrics,
    createdAt: new Date(createdAt),
  }
}
