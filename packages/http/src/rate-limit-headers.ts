import type { ApiKeyId, IdText } from '@troupe/contract'
import { type Limited, RateLimitedError, type RateLimiter, type Usage } from '@troupe/rate-limits'
import type { FastifyReply, FastifyRequest } from 'fastify'

const OWN_WINDOW_SECONDS = 60

/**
 * Sets the rate-limit headers of a response and applies the limits: the organization's first, then the key's.
 *
 * @param now milliseconds since the epoch
 * @returns the error to respond with, or null if the request is admitted
 */
export function applyRateLimits(
  reply: FastifyReply,
  principal: Limited,
  usage: Usage,
  now: number,
): RateLimitedError | null {
  const { organizationRpm, keyRpm } = principal
  const { used, resetMs } = usage.organization
  reply.header('x-ratelimit-limit', organizationRpm)
  reply.header('x-ratelimit-remaining', Math.max(0, organizationRpm - used))
  reply.header('x-ratelimit-reset', Math.ceil((now + resetMs) / 1000))
  if (keyRpm !== null && usage.keyUsed !== null) {
    reply.header('x-ratelimit-key-limit', keyRpm)
    reply.header('x-ratelimit-key-remaining', Math.max(0, keyRpm - usage.keyUsed))
  }

  const message =
    used > organizationRpm
      ? `Organization rate limit exceeded: ${organizationRpm} requests per minute.`
      : keyRpm !== null && usage.keyUsed !== null && usage.keyUsed > keyRpm
        ? `Per-key rate limit exceeded: ${keyRpm} requests per minute.`
        : null
  if (message === null) return null
  const seconds = Math.max(1, Math.ceil(resetMs / 1000))
  return new RateLimitedError(`${message} Retry in ${seconds} s.`, seconds)
}

/**
 * Counts a request of a key against the limit of its operation, if it has one. The operation's limit replaces the
 * organization's in the headers.
 *
 * @param now milliseconds since the epoch
 * @returns the error to respond with, or null if the request is admitted
 */
export async function countOwnLimit(
  request: FastifyRequest,
  reply: FastifyReply,
  { keyId, limiter, now }: { keyId: IdText<ApiKeyId>; limiter: Pick<RateLimiter, 'hit'>; now: number },
): Promise<RateLimitedError | null> {
  const { operation } = request.routeOptions.config
  const limit = operation?.requestsPerMinute
  if (operation === undefined || limit === undefined) return null
  const { used, resetMs } = await limiter.hit(`operation|${operation.id}|${keyId}`, OWN_WINDOW_SECONDS)
  reply.header('x-ratelimit-limit', limit)
  reply.header('x-ratelimit-remaining', Math.max(0, limit - used))
  reply.header('x-ratelimit-reset', Math.ceil((now + resetMs) / 1000))
  const seconds = Math.max(1, Math.ceil(resetMs / 1000))
  request.ownWindowSeconds = seconds
  if (used <= limit) return null
  return new RateLimitedError(
    `The limit of this endpoint is ${limit} requests per minute per key. Retry in ${seconds} s.`,
    seconds,
  )
}

/** Operations with their own limit repeat `Retry-After` in this header. */
export function repeatRetryAfter(request: FastifyRequest, reply: FastifyReply, seconds: number): void {
  if (request.routeOptions.config.operation?.requestsPerMinute === undefined) return
  reply.header('x-ratelimit-retry-after', seconds)
}
