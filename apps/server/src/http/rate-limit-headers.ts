import type { Limited, Usage } from '@troupe/rate-limits'
import { RateLimitedError } from '@troupe/rate-limits'
import type { FastifyReply } from 'fastify'

/**
 * Sets the rate-limit headers of a response and applies the limits: the organization's first, then the key's.
 *
 * @param now milliseconds since the epoch
 * @returns the error to respond with, or null when the request is admitted
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
