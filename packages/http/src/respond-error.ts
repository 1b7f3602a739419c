import {
  DomainError,
  type ErrorBody,
  type ErrorCode,
  MAX_BODY_BYTES,
  propertyOf,
  statusOf,
} from '@troupe/contract'
import { RateLimitedError } from '@troupe/rate-limits'
import { type DatabaseTrouble, databaseTrouble } from '@troupe/storage'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { lingerAfterRefusal } from './connections/lingering-close.ts'
import { errorBodyFor } from './foreign-protocols.ts'
import { repeatRetryAfter } from './rate-limit-headers.ts'

type Route = FastifyRequest['routeOptions']

/** Framework errors caused by the caller, as domain errors. */
const FRAMEWORK_ERRORS: Record<string, (route: Route) => DomainError> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: unsupportedMediaType,
  FST_ERR_CTP_INVALID_TYPE: unsupportedMediaType,
  FST_ERR_CTP_BODY_TOO_LARGE: ({ bodyLimit }) =>
    new DomainError(
      'payload_too_large',
      `The request body is larger than ${(bodyLimit ?? MAX_BODY_BYTES) / MAX_BODY_BYTES} MB.`,
    ),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    new DomainError('validation_error', 'The length of the request body differs from Content-Length.'),
  FST_ERR_BAD_URL: () => new DomainError('validation_error', 'The URL is not valid.'),
  FST_ERR_MAX_PARAM_LENGTH: () => new DomainError('not_found', 'Route not found.'),
}

function unsupportedMediaType({ config }: Route): DomainError {
  const bodyType = config.bodyType ?? config.operation?.bodyType ?? 'application/json'
  const types = bodyType === 'application/yaml' ? 'application/yaml or application/json' : bodyType
  return new DomainError('unsupported_media_type', `The Content-Type must be ${types}.`)
}

/** Temporary troubles; damage is a defect for the caller, and its details are only logged. */
const TROUBLES: Record<Exclude<DatabaseTrouble, 'damaged'>, readonly [ErrorCode, string]> = {
  storage_full: ['storage_unavailable', 'The disk of the server is full. Nothing was stored.'],
  away: ['service_unavailable', 'The database cannot be reached. Please try again in a moment.'],
}

/** The response while storage is unavailable. */
export function storageUnavailable(): DomainError {
  return new DomainError(...TROUBLES.storage_full)
}

/** `Retry-After` in seconds while a part is unavailable. */
const COME_BACK_SECONDS = 5

/** The domain error for any thrown value; null for a defect. */
export function toDomainError(error: unknown, route: Route): DomainError | null {
  // First: a domain error may wrap it.
  const trouble = databaseTrouble(error)
  if (trouble !== null && trouble !== 'damaged') {
    return new DomainError(...TROUBLES[trouble], { internal: asError(error).message, cause: error })
  }
  if (error instanceof DomainError) return error
  const code = propertyOf(error, 'code')
  return typeof code === 'string' && Object.hasOwn(FRAMEWORK_ERRORS, code)
    ? (FRAMEWORK_ERRORS[code]?.(route) ?? null)
    : null
}

/** The public body of a domain error. */
export function toErrorBody(error: DomainError): ErrorBody {
  return {
    error: error.code,
    message: error.message,
    ...(error.errors ? { errors: [...error.errors] } : {}),
    ...(error.review ? { review: error.review } : {}),
    ...(error.current ? { current: error.current } : {}),
    ...(error.changesSince ? { changesSince: [...error.changesSince] } : {}),
    ...(error.issues ? { issues: [...error.issues] } : {}),
    ...(error.executionId ? { executionId: error.executionId } : {}),
    ...(error instanceof RateLimitedError ? { retry_after: error.retryAfterSeconds } : {}),
  }
}

/**
 * Sets `Retry-After`: on every 503, on the 429 of a rate limit, and on every 429 of an operation that has a limit of
 * its own, where the time is the rest of its window. Other slots and budgets have no known release time.
 */
export function writeRetryAfter(reply: FastifyReply, error: DomainError): void {
  const { ownWindowSeconds } = reply.request
  if (error instanceof RateLimitedError) reply.header('retry-after', error.retryAfterSeconds)
  else if (statusOf(error.code) === 503) reply.header('retry-after', COME_BACK_SECONDS)
  else if (statusOf(error.code) === 429 && ownWindowSeconds !== null) {
    reply.header('retry-after', ownWindowSeconds)
    repeatRetryAfter(reply.request, reply, ownWindowSeconds)
  }
}

const DEFECT: ErrorBody = { error: 'internal_error', message: 'An unexpected error occurred.' }

/** Responds with an error. A defect is logged in full and its details are withheld. */
export function respondError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  lingerAfterRefusal(request, reply)
  const known = toDomainError(error, request.routeOptions)
  if (!known) {
    request.log.error({ requestId: request.id, err: error }, 'request failed')
    reply
      .code(500)
      .type('application/json; charset=utf-8')
      .send(JSON.stringify(errorBodyFor(request.url, DEFECT)))
    return
  }
  if (known.internal) {
    request.log.warn({ requestId: request.id, code: known.code, internal: known.internal }, 'request refused')
  }
  writeRetryAfter(reply, known)
  // Not the route's serialiser: an error may occur before a route is matched.
  reply
    .code(statusOf(known.code))
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(errorBodyFor(request.url, toErrorBody(known))))
}

/** Any thrown value as an `Error`, as Fastify's callbacks require. */
export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown))
}
