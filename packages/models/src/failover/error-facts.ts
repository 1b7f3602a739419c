import { APICallError } from '@ai-sdk/provider'
import { propertyOf } from '@troupe/contract'

/** Normalized facts of a provider error of any shape. */
export interface ErrorFacts {
  /** HTTP status, also when it was only inside an error chunk; null when there was none. */
  status: number | null
  /** `code`, `type` and `status` words of the provider, joined; '' when there were none. */
  labels: string
  message: string
  name: string
  headers: Record<string, string>
  /** Node's code of a connection failure (`ECONNRESET`, `UND_ERR_SOCKET`); null for other errors. */
  network: string | null
}

/** Maximum characters read of a message and of a label; anything relevant for classification is within them. */
const MAX_MESSAGE = 4_000
const MAX_LABEL = 200

const NETWORK_CODE =
  /^(E[A-Z_]{3,}|UND_ERR_[A-Z_]+|ERR_SSL.*|CERT_.*|DEPTH_ZERO_.*|SELF_SIGNED_.*|HOSTNAME_MISMATCH|UNABLE_TO_.*|HPE_[A-Z_]+)$/

/**
 * Reads an error thrown by a provider package, or the value of an `error` stream part: an `APICallError`, a provider
 * stream error, or the provider's plain error object.
 */
export function errorFacts(error: unknown): ErrorFacts {
  const facts: ErrorFacts = { status: null, labels: '', message: '', name: '', headers: {}, network: null }
  if (typeof error === 'string') facts.message = error.slice(0, MAX_MESSAGE)
  const seen = new Set<unknown>()
  read(error, facts, seen)
  if (facts.network === null && APICallError.isInstance(error) && error.statusCode === undefined) {
    facts.network = error.isRetryable ? 'UNREACHABLE' : null
  }
  return facts
}

function read(value: unknown, facts: ErrorFacts, seen: Set<unknown>): void {
  if (value === null || typeof value !== 'object' || seen.has(value) || seen.size > 8) return
  seen.add(value)
  const [status, message, headers, body] = ['statusCode', 'message', 'responseHeaders', 'responseBody'].map(
    (name) => propertyOf(value, name),
  )
  if (typeof status === 'number' && status >= 400) facts.status ??= status
  if (typeof message === 'string') facts.message ||= message.slice(0, MAX_MESSAGE)
  if (value instanceof Error) facts.name ||= value.name
  if (headers) facts.headers = headers as Record<string, string>
  for (const label of ['code', 'type', 'status'])
    readLabel(propertyOf(value, label), facts, value instanceof Error)
  if (typeof body === 'string') facts.labels += ` ${body.slice(0, 2000)}`
  for (const inner of ['data', 'error', 'response', 'cause']) read(propertyOf(value, inner), facts, seen)
}

function readLabel(given: unknown, facts: ErrorFacts, isError: boolean): void {
  const label = typeof given === 'string' ? given.slice(0, MAX_LABEL) : given
  const status = Number(label)
  if (Number.isInteger(status) && status >= 400 && status < 600) {
    facts.status ??= status
    return
  }
  if (typeof label !== 'string') return
  if (isError && NETWORK_CODE.test(label)) facts.network ??= label
  else facts.labels += ` ${label}`
}
