import { type AbortScope, abortScope } from './abort-scope.ts'
import type { CallOptions, Connection } from './options.ts'
import { rateLimitOf } from './rate-limit.ts'
import { type OutgoingRequest, pathOf } from './request.ts'
import { type Failure, failure, NO_RESPONSE, type ResponseFacts } from './result.ts'

/** A response with an unread body, and its abort scope. The reader must release the scope. */
export interface Answered {
  ok: true
  response: Response
  facts: ResponseFacts & { status: number }
  scope: AbortScope
}

/** Sends requests. Never throws: an error becomes a failure with one of the client's codes. */
export type Transport = (request: OutgoingRequest, options: CallOptions) => Promise<Answered | Failure>

/**
 * The system's error code (`ECONNREFUSED`). Other error texts are omitted, because they may repeat header
 * values.
 */
function systemCode(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(code) ? ` (${code})` : ''
}

/** Converts an exception from a request, or from reading its response, into a failure. */
export function brokenRequest(
  error: unknown,
  scope: AbortScope,
  facts: ResponseFacts = NO_RESPONSE,
): Failure {
  if (scope.reason === 'aborted') return failure('aborted', 'The caller aborted the request.', facts)
  if (scope.reason === 'timeout') return failure('timeout', 'The server did not answer in time.', facts)
  const what =
    facts.status === null ? 'The server could not be reached' : 'The connection broke during the answer'
  return failure('network_error', `${what}${systemCode(error)}.`, facts)
}

/** Throws `TypeError` without the header values, which fetch would repeat. */
function headersOf(connection: Connection, request: OutgoingRequest): Headers {
  const headers = new Headers({ accept: request.operation.success.type ?? 'application/json' })
  if (request.body !== undefined) headers.set('content-type', 'application/json')
  for (const [name, value] of Object.entries({ ...connection.headers, ...request.headers })) {
    try {
      headers.set(name, value)
    } catch {
      throw new TypeError('a header has a name or a value that HTTP does not allow')
    }
  }
  if (connection.apiKey !== null) headers.set('x-api-key', connection.apiKey)
  return headers
}

/** Connects a client to its server. */
export function createTransport(connection: Connection): Transport {
  return async (request, options) => {
    let url: string
    let body: string | undefined
    let headers: Headers
    try {
      url = connection.baseUrl + pathOf(request)
      body = request.body === undefined ? undefined : JSON.stringify(request.body)
      headers = headersOf(connection, request)
    } catch (error) {
      return failure(
        'invalid_request',
        error instanceof Error ? error.message : 'The request cannot be sent.',
      )
    }
    const scope = abortScope(options.signal, options.timeoutMs ?? connection.timeoutMs)
    try {
      const response = await connection.fetch(url, {
        method: request.operation.method,
        headers,
        // Following a redirect would send the key to its target.
        redirect: 'manual',
        signal: scope.signal,
        ...(body === undefined ? {} : { body }),
      })
      const facts = {
        status: response.status,
        rateLimit: rateLimitOf(response.headers),
        requestId: response.headers.get('x-request-id'),
      }
      return { ok: true, response, facts, scope }
    } catch (error) {
      const failed = brokenRequest(error, scope)
      scope.release()
      return failed
    }
  }
}
