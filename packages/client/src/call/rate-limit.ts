/** The remaining request rate according to the response headers. */
export interface RateLimit {
  /** Requests in one window. */
  limit: number
  /** Requests left in this window. */
  remaining: number
  /** Unix seconds at which the window ends. */
  resetAt: number
  /** The key's limit; null for a key without one. */
  key: { limit: number; remaining: number } | null
}

function integer(headers: Headers, name: string): number | null {
  const value = headers.get(name)
  return value !== null && /^-?\d+$/.test(value.trim()) ? Number(value) : null
}

/** Parses the `X-RateLimit-*` headers; null when the response has none. */
export function rateLimitOf(headers: Headers): RateLimit | null {
  const limit = integer(headers, 'x-ratelimit-limit')
  const remaining = integer(headers, 'x-ratelimit-remaining')
  const resetAt = integer(headers, 'x-ratelimit-reset')
  if (limit === null || remaining === null || resetAt === null) return null
  const keyLimit = integer(headers, 'x-ratelimit-key-limit')
  const keyRemaining = integer(headers, 'x-ratelimit-key-remaining')
  const key = keyLimit === null || keyRemaining === null ? null : { limit: keyLimit, remaining: keyRemaining }
  return { limit, remaining, resetAt, key }
}

/** Seconds of a `Retry-After` header in either format; null when absent or invalid. */
export function retryAfterSeconds(headers: Headers, nowMs: number): number | null {
  const value = headers.get('retry-after')?.trim()
  if (!value) return null
  if (/^\d+$/.test(value)) return Number(value)
  const date = Date.parse(value)
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - nowMs) / 1_000))
}
