import type { EdgeError, ErrorsOf, FieldError, Operation } from '@troupe/contract'
import type { RateLimit } from './rate-limit.ts'

/**
 * Failures that the client itself reports:
 * - `network_error`: no answer arrived, or the connection broke while it arrived;
 * - `timeout`: the client's own limit passed (a run that the server gave up is `execution_timeout`);
 * - `aborted`: the caller's signal, or a stream that was closed before its end;
 * - `invalid_response`: an answer that is not from Troupe, such as a proxy's page or cut-off JSON;
 * - `invalid_request`: a call that cannot be sent, such as an empty id;
 * - `unexpected_error`: the server named a code that this version does not know for this call; see `serverCode`.
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
  /** For a person. Never contains the API key. */
  message: string
  /** Every failure of a validation. */
  errors?: readonly FieldError[]
  /** Seconds until another attempt makes sense. */
  retryAfter?: number
  /** The code as the server wrote it, when `code` is `unexpected_error`. */
  serverCode?: string
}

/** What a response says beside its body. */
export interface ResponseFacts {
  /** HTTP status; null when no response arrived. */
  status: number | null
  /** null when the response carried no rate limit headers. */
  rateLimit: RateLimit | null
  /** The server's id of the request, for its operator; null when none was sent. */
  requestId: string | null
}

/** A call that was answered. */
export interface Success<Data> extends ResponseFacts {
  ok: true
  status: number
  data: Data
}

/** A call that failed. */
export interface Failure<Code extends string = string> extends ResponseFacts {
  ok: false
  error: CallError<Code>
}

/** The outcome of a call. Check `ok`; nothing is thrown. */
export type Result<Data, Code extends string = string> = Success<Data> | Failure<Code>

/** The facts of a call that got no response. */
export const NO_RESPONSE: ResponseFacts = { status: null, rateLimit: null, requestId: null }

/** A failure with a code and a text. */
export function failure<Code extends string>(
  code: Code,
  message: string,
  facts: ResponseFacts = NO_RESPONSE,
): Failure<Code> {
  return { ok: false, error: { code, message }, ...facts }
}
