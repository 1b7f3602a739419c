import type { Static, TObject, TSchema } from 'typebox'
import type { Permission } from '../permissions/permissions.ts'
import type { ErrorCode } from './error-codes.ts'

/**
 * The caller of an operation:
 * - a holder of an organization's API key,
 * - the operator of the deployment,
 * - a caller who knows a trigger's token and passes its authentication (a signature, a password, a sign-in),
 * - a member of the organization in the path (or the operator) with the permission that the operation `needs`,
 * - any signed-in person, or
 * - any visitor of a page of this server.
 */
export type Access = 'api_key' | 'operator' | 'trigger' | 'builder' | 'person' | 'visitor'

/** One API operation as data: routes, validation, OpenAPI, the client and the access tests are derived from it. */
export interface Operation {
  /** Stable camelCase name; the OpenAPI `operationId`. */
  id: string
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Path with parameters in braces: `/api/v1/agents/{agentId}`. */
  path: `/api/${string}`
  tag: string
  summary: string
  description?: string
  access: Access
  /** The permission that a member needs; only and always with access `builder`. */
  needs?: Permission
  params?: TObject
  query?: TObject
  /** Request headers other than the API key. */
  headers?: TObject
  body?: TSchema
  /** Whether an absent body means `{}`. */
  bodyOptional?: boolean
  /** Media type of the body; `application/json` when absent. */
  bodyType?: 'application/yaml' | 'multipart/form-data'
  success: {
    /** 204 has no content: its `body` is null. */
    status: 200 | 201 | 202 | 204
    description: string
    body: TSchema
    /** For `text/event-stream`, `body` is the data of each event. */
    type?: 'text/event-stream' | 'application/yaml' | 'application/octet-stream' | 'application/zip'
    /** The meaning of 200, with the same body, if `status` is another one. */
    unchanged?: string
  }
  /**
   * Maximum calls per minute of a key, besides the limits of the key and its organization; responses carry this limit
   * in `X-RateLimit-*` instead of the organization's.
   */
  requestsPerMinute?: number
  /** Codes in addition to those that every operation can return. */
  errors: readonly ErrorCode[]
}

const DEFECTS = ['internal_error', 'service_unavailable', 'storage_unavailable'] as const

/** Codes that every operation with this access can return. */
export const COMMON_ERRORS: Record<Access, readonly ErrorCode[]> = {
  api_key: ['unauthorized', 'rate_limit_exceeded', ...DEFECTS],
  operator: ['unauthorized', 'rate_limit_exceeded', ...DEFECTS],
  trigger: ['rate_limit_exceeded', ...DEFECTS],
  builder: ['unauthorized', 'forbidden', 'organization_not_found', 'rate_limit_exceeded', ...DEFECTS],
  person: ['unauthorized', 'forbidden', 'rate_limit_exceeded', ...DEFECTS],
  visitor: ['forbidden', 'rate_limit_exceeded', ...DEFECTS],
}

/** Codes that the HTTP edge can return for any request, before or instead of an operation. */
export const EDGE_ERRORS = [
  'not_found',
  'method_not_allowed',
  'request_timeout',
  'payload_too_large',
  'uri_too_long',
  'unsupported_media_type',
  'expectation_failed',
  'headers_too_large',
  'service_unavailable',
] as const satisfies readonly ErrorCode[]
/** A code of the HTTP edge. */
export type EdgeError = (typeof EDGE_ERRORS)[number]

/** Infers the exact type of an operation. */
export function defineOperation<const T extends Operation>(operation: T): T {
  return operation
}

type StaticOr<T, Fallback> = T extends TSchema ? Static<T> : Fallback

/** The checked path parameters of an operation. */
export type ParamsOf<O extends Operation> = StaticOr<O['params'], Record<string, never>>
/** The checked query of an operation. */
export type QueryOf<O extends Operation> = StaticOr<O['query'], Record<string, never>>
/** The checked body of an operation. */
export type BodyOf<O extends Operation> = StaticOr<O['body'], undefined>
/** The body of a successful response (for streams: one event's data). */
export type ResultOf<O extends Operation> = Static<O['success']['body']>
/** The codes that an operation can return. */
export type ErrorsOf<O extends Operation> =
  | O['errors'][number]
  | 'unauthorized'
  | 'rate_limit_exceeded'
  | 'validation_error'
  | 'internal_error'
