import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Metrics } from '../observability/metrics.ts'

/** Routes that are asked every few seconds and say nothing. */
const QUIET = new Set(['/healthz', '/readyz', '/metrics'])

/**
 * One line and one observation for each response. Names every field: nothing of a request is logged because it happens
 * to be there. A run is found by the `X-Run-Id` header of its response.
 */
export function logResponse(metrics: Metrics, request: FastifyRequest, reply: FastifyReply): void {
  const route = request.is404 ? 'unknown' : (request.routeOptions.url ?? 'unknown')
  const durationMs = reply.elapsedTime
  metrics.observeRequest(request.method, route, reply.statusCode, durationMs / 1000)
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
