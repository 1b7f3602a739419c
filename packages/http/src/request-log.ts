import type { Metrics } from '@troupe/telemetry/metrics'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Routes that monitors poll every few seconds; not worth a log line. */
const QUIET = new Set(['/healthz', '/readyz', '/metrics'])

/** Methods with their own series. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/**
 * One log line and one metric observation per response. Fields are listed explicitly, so that no other
 * request data is logged; a run is found by its response's `X-Run-Id` header.
 */
export function logResponse(metrics: Metrics, request: FastifyRequest, reply: FastifyReply): void {
  const { url, config } = request.routeOptions
  const route = request.is404 ? 'unknown' : (url ?? 'unknown')
  const durationMs = reply.elapsedTime
  // A caller chooses methods and paths: non-routes have one series for each common method and status.
  const counted = config.wrongMethod === true ? 'unknown' : route
  const method = METHODS.has(request.method) ? request.method : 'OTHER'
  metrics.observeRequest(method, counted, reply.statusCode, durationMs / 1000)
  if (QUIET.has(route)) return
  request.log.info(
    {
      requestId: request.id,
      organizationId: request.principal?.organizationId,
      apiKeyId: request.principal?.keyId,
      userId: request.person?.userId,
      runId: reply.getHeader('x-run-id'),
      method: request.method,
      route,
      status: reply.statusCode,
      durationMs: Math.round(durationMs * 10) / 10,
    },
    'request',
  )
}
