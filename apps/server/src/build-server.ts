import { createAdmission } from '@troupe/http/access'
import { createApp } from '@troupe/http/create-app'
import { traceRequests } from '@troupe/http/request-spans'
import { storageUnavailable } from '@troupe/http/respond-error'
import type { App } from '@troupe/http/server-types'
import { answerWrongMethods, collectPaths } from '@troupe/http/wrong-methods'
import type { RouteOptions } from 'fastify'
import { respondErrorTo } from './pages/rendering/error-page.ts'
import { registerMonitoring } from './routes/monitoring/register-monitoring.ts'
import { registerRoutes } from './routes/register-routes.ts'
import type { Context } from './wiring/context.ts'

/** Receives every registered route; for tests of rules that hold for all routes. */
export type RouteObserver = (route: RouteOptions) => void

/**
 * The complete API as a Fastify instance that does not listen yet; usable with `inject`. A process without
 * the role `api` serves the operations surface only.
 */
export function buildServer(context: Context, observe?: RouteObserver): App {
  return build(context, (app) => {
    if (observe) app.addHook('onRoute', observe)
    const { roles, adminPort } = context.config
    if (roles.has('api')) registerRoutes(app, context)
    else if (adminPort === null) registerMonitoring(app, context)
  })
}

/** Only the operations surface, for `TROUPE_ADMIN_PORT`. */
export function buildAdminServer(context: Context): App {
  return build(context, (app) => registerMonitoring(app, context))
}

function build(context: Context, register: (app: App) => void): App {
  const admit = createAdmission(context)
  const app = createApp({
    log: context.log,
    metrics: context.metrics,
    admit,
    slowUploads: context.slowUploads,
    trustedProxies: context.config.exposure.trustedProxies,
    isBehindProxy: context.config.exposure.isBehindProxy,
    hstsSeconds: context.config.exposure.hstsSeconds,
    proxySigns: context.proxySigns,
    answerError: respondErrorTo,
  })
  refuseWritesWhenFull(app, context.storage)
  watchRequests(app, [context.stalls, context.quiet])
  if (context.config.tracing) traceRequests(app)
  const paths = collectPaths(app)
  register(app)
  // After all routes above, including those of plugins.
  app.register(async (scope) => answerWrongMethods(scope, paths))
  return app
}

const READS = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Refuses writes while the disk of the data folder is full: 503 `storage_unavailable`. */
function refuseWritesWhenFull(app: App, storage: Pick<Context['storage'], 'full'>): void {
  app.addHook('onRequest', (request, _reply, done) => {
    done(storage.full && !READS.has(request.method) ? storageUnavailable() : undefined)
  })
}

/** Receives the start and end of every request. */
type RequestWatch = Pick<Context['stalls'], 'began' | 'ended'>

/**
 * Reports the active routes to the stall log and to the idle-time upkeep. Fastify's `onResponse` would leak: it does not run when
 * the caller disconnects before the end of the response.
 */
function watchRequests(app: App, watches: readonly RequestWatch[]): void {
  app.addHook('onRequest', (request, reply, done) => {
    const route = `${request.method} ${request.routeOptions.url ?? '(no route)'}`
    for (const watch of watches) watch.began(request, route)
    reply.raw.once('close', () => {
      for (const watch of watches) watch.ended(request)
    })
    done()
  })
}
