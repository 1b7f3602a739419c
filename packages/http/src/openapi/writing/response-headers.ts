import type { HeaderObject, Reference } from './document-types.ts'

const integer = { type: 'integer' }

/** Response headers by their name in `components.headers`. */
export const RESPONSE_HEADERS = {
  'X-RateLimit-Limit': {
    description: 'Requests per minute of the organization.',
    required: true,
    schema: integer,
  },
  'X-RateLimit-Remaining': {
    description: 'Requests left in this window.',
    required: true,
    schema: integer,
  },
  'X-RateLimit-Reset': {
    description: 'Unix time in seconds at which the window ends.',
    required: true,
    schema: integer,
  },
  'X-RateLimit-Key-Limit': {
    description: 'Requests per minute of the key; absent if the key has no limit.',
    schema: integer,
  },
  'X-RateLimit-Key-Remaining': {
    description: 'Requests left for the key; absent if the key has no limit.',
    schema: integer,
  },
  Location: { description: 'The address of the next page.', required: true, schema: { type: 'string' } },
  'Retry-After': {
    description: 'Seconds to wait; on a 429 equal to `retry_after` of the body.',
    schema: integer,
  },
} satisfies Record<string, HeaderObject>

/** The name of a documented response header. */
export type ResponseHeader = keyof typeof RESPONSE_HEADERS

function refer(...names: ResponseHeader[]): Record<string, Reference> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

/** On every response to a request with a valid key. */
export const RATE_LIMIT_HEADERS = refer(
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-RateLimit-Key-Limit',
  'X-RateLimit-Key-Remaining',
)

/** On a 429 and on a 503. */
export const RETRY_AFTER = refer('Retry-After')
