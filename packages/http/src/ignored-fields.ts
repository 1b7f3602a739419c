import { isJsonObject, type Operation, propertyOf } from '@troupe/contract'
import type { FastifyRequest } from 'fastify'

/** Names the fields of a request that the operation does not have, such as a `sessionId` in the place of `session_id`. */
export const IGNORED_FIELDS = 'x-ignored-fields'

const MAX_NAMES = 20
const MAX_NAME = 64

/** Names as a header can have them. */
function unknownNames(given: unknown, schema: unknown): string[] {
  const known = propertyOf(schema, 'properties')
  // A schema without listed fields takes any.
  if (!isJsonObject(given) || !isJsonObject(known) || propertyOf(schema, 'additionalProperties') === true)
    return []
  const names: string[] = []
  for (const name in given) {
    if (names.length >= MAX_NAMES) break
    if (!Object.hasOwn(known, name)) names.push(encodeURIComponent(name.slice(0, MAX_NAME).toWellFormed()))
  }
  return names
}

/** The fields of the body and parameters of the query that nothing reads, at most 20 of each. */
export function ignoredFields({ query, body }: Operation, request: FastifyRequest): string[] {
  return [...unknownNames(request.query, query), ...unknownNames(request.body, body)]
}
