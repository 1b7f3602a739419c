import type { FastifyReply } from 'fastify'

/** Policy of data responses; pages set their own. */
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'"

/** Headers of every response. `hstsSeconds`: the time for which browsers use only https; 0: http is permitted. */
export function writeSecurityHeaders(reply: FastifyReply, hstsSeconds: number): void {
  reply.header('x-content-type-options', 'nosniff')
  reply.header('referrer-policy', 'no-referrer')
  reply.header('x-frame-options', 'DENY')
  reply.header('content-security-policy', DATA_POLICY)
  reply.header('cache-control', 'no-store')
  if (hstsSeconds > 0) reply.header('strict-transport-security', `max-age=${hstsSeconds}`)
}
