import { DomainError } from '@troupe/contract'
import type { Admit } from '@troupe/http/access'
import { createApp } from '@troupe/http/create-app'
import { OperatorToken } from '@troupe/http/operator-token'
import type { App } from '@troupe/http/server-types'
import { noSuchRoute } from '@troupe/http/wrong-methods'
import { VoiceMetrics } from '@troupe/telemetry/voice-metrics'
import { extendCallLease } from '@troupe/voice'
import { networksInForce } from '../config/exposure.ts'
import type { Context } from '../wiring/context.ts'
import type { ConnectedVoice } from '../wiring/create-voice.ts'
import { ClaimedJobs } from './claimed-jobs.ts'
import { registerMediaWebhook } from './media-webhook.ts'
import { type ExtendLease, registerSessionEndpoints } from './session-endpoints.ts'
import { registerSessionEvents } from './session-events.ts'
import { registerTurns } from './turns.ts'
import { registerWorkerEndpoints } from './worker-endpoints.ts'

/**
 * The listener for voice workers and for webhooks of the media server, which is never public. Its routes carry the bearer
 * token of voice workers, except for webhooks, which are signed.
 */
export function buildVoiceInternal(context: Context, voice: ConnectedVoice): App {
  const { log, metrics, database, catalog, voices, runs, clock } = context
  const { parts } = context.voice
  const { turns, workers, calls } = database.voice
  const app = createApp({ log, metrics, admit: admission(voice) })
  const voiceMetrics = new VoiceMetrics(metrics, () => clock.now())
  const allowedNetworks = () => networksInForce(context.config.exposure, context.proxySigns.seen)
  const jobs = new ClaimedJobs({ turns, now: () => clock.now(), voices, catalog, allowedNetworks })
  registerMediaWebhook(app, voice)
  registerWorkerEndpoints(app, parts, { workers, calls, jobs, metrics: voiceMetrics })
  registerSessionEndpoints(app, parts, {
    turns,
    metrics: voiceMetrics,
    extendLease: leaseExtension(context, voice),
  })
  registerSessionEvents(app, parts)
  registerTurns(app, { parts, runner: runs.runner, database })
  return app
}

function admission({ internalToken }: ConnectedVoice): Admit {
  const token = new OperatorToken(internalToken)
  return (request, reply, done) => {
    const isSigned = !request.is404 && request.routeOptions.config.access === 'open'
    if (isSigned) done()
    else if (!token.matches(request.headers.authorization)) {
      done(new DomainError('unauthorized', 'The token of voice workers is required.'))
    } else done(request.is404 ? noSuchRoute(request, reply) : undefined)
  }
}

/** Browser sessions have no lease: nothing ends them early. A call that is not active gets no more minutes. */
function leaseExtension({ database, clock }: Context, { config }: ConnectedVoice): ExtendLease {
  const { leases } = database.voice
  const parts = { leases, billingUnitS: config.billingUnitS, now: () => clock.now() }
  return async (session) => {
    if (session.kind === 'web') return { leaseUntil: null, granted: true }
    const extended = await extendCallLease(parts, session)
    return { leaseUntil: extended?.leaseUntil.getTime() ?? null, granted: extended?.granted ?? false }
  }
}
