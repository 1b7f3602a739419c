import type { EdgeError, ErrorsOf, FieldError, Operation } from '@troupe/contract'
import type { RateLimit } from './rate-limit.ts'

/**
 * Failures reported by the client itself:
 * - `network_error`: no response arrived, or the connection broke while it arrived;
 * - `timeout`: the client's limit passed (a run that the server timed out is `execution_timeout`);
 * - `aborted`: the caller's signal, or a stream that was closed before its end;
 * - `invalid_response`: a response that is not from Troupe, such as a proxy's page or truncated JSON;
 * - `invalid_request`: a call that cannot be sent, such as an empty id;
 * - `unexpected_error`: the server sent a code that this version does not know for this call; see
 * `serverCode`.
 */
export type ClientError =
  | 'network_error'
  | 'timeout'
  | 'aborted'
  | 'invalid_response'
  | 'invalid_request'
  | 'unexpected_error'

/** Every code that a call of this operation can report. */
export type CodeOf<O extends Operation> = ErrorsOf<O> | EdgeError | ClientError

/** Why a call failed. */
export interface CallError<Code extends string = string> {
  code: Code
  /** A message for display. Never contains the API key. */
  message: string
  /** Every validation error. */
  errors?: readonly FieldError[]
  /** Seconds to wait before a retry. */
  retryAfter?: number
  /** The code sent by the server, when `code` is `unexpected_error`. */
  serverCode?: string
}

/** The metadata of a response. */
export interface ResponseFacts {
  /** HTTP status; null when no response arrived. */
  status: number | null
  /** null when the response carried no rate limit headers. */
  rateLimit: RateLimit | null
  /** The server's request id, for its operator; null when none was sent. */
  requestId: string | null
}

/** A successful call. */
export interface Success<Data> extends ResponseFacts {
  ok: true
  status: number
  data: Data
}

/** A failed call. */
export interface Failure<Code extends string = string> extends ResponseFacts {
  ok: false
  error: CallError<Code>
}

/** The outcome of a call. Check `ok`; no call throws. */
export type Result<Data, Code extends string = string> = Success<Data> | Failure<Code>

/** The metadata of a call without a response. */
export const NO_RESPONSE: ResponseFacts = { status: null, rateLimit: null, requestId: null }

/** Creates a failure with a code and a message. */
export function failure<Code extends string>(
  code: Code,
  message: string,
  facts: ResponseFacts = NO_RESPONSE,
): Failure<Code> {
  return { ok: false, error: { code, message }, ...facts }
}
