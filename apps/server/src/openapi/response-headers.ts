const integer = { type: 'integer' }

/** Response headers by their name in `components.headers`. */
export const RESPONSE_HEADERS = {
  'X-RateLimit-Limit': { description: 'Requests per minute of the organization.', schema: integer },
  'X-RateLimit-Remaining': { description: 'Requests left in this window.', schema: integer },
  'X-RateLimit-Reset': { description: 'Unix time in seconds at which the window ends.', schema: integer },
  'X-RateLimit-Key-Limit': {
    description: 'Requests per minute of the key; absent if the key has no limit.',
    schema: integer,
  },
  'X-RateLimit-Key-Remaining': {
    description: 'Requests left for the key; absent if the key has no limit.',
    schema: integer,
  },
  'Retry-After': {
    description: 'Seconds until the window ends; equal to `retry_after` of the body.',
    schema: integer,
  },
}

function refer(name: keyof typeof RESPONSE_HEADERS): [string, { $ref: string }] {
  return [name, { $ref: `#/components/headers/${name}` }]
}

/** On every response to a request with a key. */
export const RATE_LIMIT_HEADERS = Object.fromEntries([
  refer('X-RateLimit-Limit'),
  refer('X-RateLimit-Remaining'),
  refer('X-RateLimit-Reset'),
  refer('X-RateLimit-Key-Limit'),
  refer('X-RateLimit-Key-Remaining'),
])

/** On a 429. */
export const RETRY_AFTER = Object.fromEntries([refer('Retry-After')])
