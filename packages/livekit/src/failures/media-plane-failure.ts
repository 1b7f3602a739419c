import { MediaPlaneError } from '@troupe/voice'
import { ServerError } from 'livekit-server-sdk'

/** LiveKit's error when no media node, or no SIP bridge, claimed a request in time. */
const NOBODY_ANSWERED = 'no response from servers'

export function isNotFound(error: unknown): boolean {
  return error instanceof ServerError && error.code === 'not_found'
}

/** LiveKit's error when Redis does not know which media node has a room; the code is that of any unexpected failure. */
const NODE_UNKNOWN = 'could not find object'

/** Redis knows the room, but not the media node that has it. */
export function saysThatNodeIsUnknown(error: unknown): boolean {
  return error instanceof ServerError && error.status >= 500 && error.message.includes(NODE_UNKNOWN)
}

/** The server is available, but no node of it serves the request. */
export function saysThatNobodyAnswered(error: unknown): boolean {
  return (
    error instanceof ServerError && error.code === 'unavailable' && error.message.includes(NOBODY_ANSWERED)
  )
}

/** The request reached no server, or no response arrived: a refused connection, a reset or a timeout. */
export function isWithoutAnswer(error: unknown): boolean {
  return isTimeout(error) || isFailedFetch(error)
}

export function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && (error.name === 'TimeoutError' || error.name === 'AbortError')
}

/** `fetch` reports every failure of the network as a `TypeError` with a cause. */
function isFailedFetch(error: unknown): boolean {
  return error instanceof TypeError && error.cause !== undefined
}

/** Failures to establish a connection. */
const NEVER_CONNECTED: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
])

/** `what` completes "The media server did not …"; it is for the log. */
export function toMediaPlaneError(error: unknown, what: string): MediaPlaneError {
  const message = `The media server did not ${what}`
  if (isTimeout(error)) {
    return new MediaPlaneError('unavailable', `${message} in time`, { cause: error, mayHaveHappened: true })
  }
  if (isFailedFetch(error)) {
    const mayHaveHappened = !NEVER_CONNECTED.has(causeCode(error))
    return new MediaPlaneError('unavailable', `${message}: no connection`, { cause: error, mayHaveHappened })
  }
  if (error instanceof ServerError) {
    const mayHaveHappened = error.status >= 500
    return new MediaPlaneError(reasonOf(error), `${message}: ${error.code ?? error.status}`, {
      cause: error,
      mayHaveHappened,
    })
  }
  // Any other error is not the media server's response, so the request may have had an effect.
  return new MediaPlaneError('unavailable', message, { cause: error, mayHaveHappened: true })
}

const UNAVAILABLE: ReadonlySet<unknown> = new Set([
  'unavailable',
  'internal',
  'deadline_exceeded',
  'resource_exhausted',
])

function reasonOf(error: ServerError): MediaPlaneError['reason'] {
  if (isNotFound(error)) return 'not_found'
  return error.status >= 500 || UNAVAILABLE.has(error.code) ? 'unavailable' : 'refused'
}

function causeCode(error: unknown): unknown {
  const cause = error instanceof Error ? error.cause : undefined
  // Several addresses of one name fail together, each with its own error.
  const first = cause instanceof AggregateError ? cause.errors[0] : cause
  return first instanceof Error && 'code' in first ? first.code : undefined
}
