import { isJsonObject, type Operation, propertyOf } from '@troupe/contract'
import type { FastifyRequest } from 'fastify'

/** Lists the request fields that the operation does not have, such as `sessionId` instead of `session_id`. */
export const IGNORED_FIELDS = 'x-ignored-fields'

const MAX_NAMES = 20
const MAX_NAME = 64
/** Proxies and HTTP clients refuse responses with headers above 4 KB in total. */
const MAX_HEADER_BYTES = 1_000
/** Replaces the names that do not fit; no name is encoded to it. */
const MORE = ', ...'

/** Names as a header can have them. */
function unknownNames(given: unknown, schema: unknown): string[] {
  const known = propertyOf(schema, 'properties')
  // A schema without listed fields accepts any.
  if (!isJsonObject(given) || !isJsonObject(known) || propertyOf(schema, 'additionalProperties') === true)
    return []
  const names: string[] = []
  for (const name in given) {
    if (names.length >= MAX_NAMES) break
    if (!Object.hasOwn(known, name)) names.push(encodeURIComponent(name.slice(0, MAX_NAME).toWellFormed()))
  }
  return names
}

/**
 * The header for unread fields of the body and parameters of the query: at most 20 of each, in ASCII, and at most 1,000
 * bytes, with `...` at the end if not all fit. null if there are none.
 */
export function ignoredFields({ query, body }: Operation, request: FastifyRequest): string | null {
  const names = [...unknownNames(request.query, query), ...unknownNames(request.body, body)]
  if (names.length === 0) return null
  const whole = names.join(', ')
  if (whole.length <= MAX_HEADER_BYTES) return whole
  let shown = names[0] ?? ''
  for (const name of names.slice(1)) {
    if (shown.length + 2 + name.length > MAX_HEADER_BYTES - MORE.length) break
    shown += `, ${name}`
  }
  return shown + MORE
}
