import { ERRORS, ErrorBody, type ErrorCode, statusOf } from '@troupe/contract'
import type { Content, Reference, ResponseObject } from './document-types.ts'
import { RETRY_AFTER } from './response-headers.ts'
import type { SchemaWriter } from './schema-writer.ts'

/** The common codes of many routes by status, by their name in `components.responses`. */
const SHARED: Readonly<Record<string, readonly ErrorCode[]>> = {
  BadRequest: ['validation_error'],
  Unauthorized: ['unauthorized'],
  RequestTimeout: ['request_timeout'],
  PayloadTooLarge: ['payload_too_large'],
  UriTooLong: ['uri_too_long'],
  UnsupportedMediaType: ['unsupported_media_type'],
  ExpectationFailed: ['expectation_failed'],
  TooManyRequests: ['rate_limit_exceeded'],
  HeadersTooLarge: ['headers_too_large'],
  InternalError: ['internal_error'],
  ServiceUnavailable: ['service_unavailable', 'storage_unavailable'],
}

/** Statuses whose response has a time to retry. */
const RETRIED = new Set([429, 503])

/** The text of a response: every code with its meaning. */
export function describeCodes(codes: readonly ErrorCode[]): string {
  return codes.map((code) => `\`${code}\`: ${ERRORS[code].description}`).join('\n\n')
}

/** The headers of an error response with this status, besides the rate limits. */
export function retryHeaders(status: number): Pick<ResponseObject, 'headers'> {
  return RETRIED.has(status) ? { headers: RETRY_AFTER } : {}
}

/** A reference to the shared response that has exactly these codes; null if there is none. */
export function sharedResponse(codes: readonly ErrorCode[]): Reference | null {
  const found = Object.entries(SHARED).find(
    ([, shared]) => shared.length === codes.length && shared.every((code) => codes.includes(code)),
  )
  return found ? { $ref: `#/components/responses/${found[0]}` } : null
}

/** The content of every error that is not a page. */
export function errorContent(writer: SchemaWriter): Content {
  return { 'application/json': { schema: writer.write(ErrorBody) } }
}

/** Every shared response, for `components.responses`. */
export function sharedResponses(writer: SchemaWriter): Record<string, ResponseObject> {
  return Object.fromEntries(
    Object.entries(SHARED).map(([name, codes]) => [
      name,
      {
        description: describeCodes(codes),
        ...retryHeaders(codes[0] ? statusOf(codes[0]) : 0),
        content: errorContent(writer),
      },
    ]),
  )
}
