import { APICallError } from '@ai-sdk/provider'
import { propertyOf } from '@troupe/contract'
import { type BodyFacts, noBodyFacts, readBodyText, readBodyValue } from './provider-body.ts'

/** Normalized facts of a provider error of any shape. */
export interface ErrorFacts {
  /** HTTP status, including one inside an error chunk; null if there was none. */
  status: number | null
  /** `code`, `type` and `status` words of the provider, joined; '' when there were none. */
  labels: string
  /** All sentences of the error, joined. */
  message: string
  /** The provider's own sentence; null if there was none. It may contain anything, including secrets. */
  sentence: string | null
  /** Request fields named by the provider. */
  parameters: readonly string[]
  /** Waits named in its body. */
  waits: BodyFacts['waits']
  name: string
  headers: Record<string, string>
  /** Node's code of a connection failure (`ECONNRESET`, `UND_ERR_SOCKET`); null for other errors. */
  network: string | null
}

/** Maximum characters read of a message; anything relevant for classification is within them. */
const MAX_MESSAGE = 4_000
/** Maximum nested errors. */
const MAX_ERRORS = 8

const NETWORK_CODE =
  /^(E[A-Z_]{3,}|UND_ERR_[A-Z_]+|ERR_SSL.*|CERT_.*|DEPTH_ZERO_.*|SELF_SIGNED_.*|HOSTNAME_MISMATCH|UNABLE_TO_.*|HPE_[A-Z_]+|ADDRESS_NOT_ALLOWED)$/

/** Errors of the AI SDK whose message repeats the provider's text, which may be no error at all. */
const REPEATS_THE_ANSWER = new Set(['AI_TypeValidationError', 'AI_JSONParseError'])
/** Meaningless sentences of gateways; those of the provider behind them follow. */
const SAYS_NOTHING =
  /^(provider returned error|upstream error|bad request|error|unknown error|internal (server )?error)\.?$/i

interface Reading {
  status: number | null
  name: string
  headers: Record<string, string>
  network: string | null
  body: BodyFacts
  /** Messages of Error objects, which the AI SDK may have written. */
  messages: string[]
  seen: Set<unknown>
}

/**
 * Reads an error thrown by a provider package, or the value of an `error` stream part: an `APICallError`, a provider
 * stream error, or the provider's plain error object.
 */
export function errorFacts(error: unknown): ErrorFacts {
  const reading: Reading = {
    ...{ status: null, name: '', headers: {}, network: null },
    ...{ body: noBodyFacts(), messages: [], seen: new Set() },
  }
  if (typeof error === 'string') readBodyText(error.slice(0, MAX_MESSAGE), reading.body)
  else if (error instanceof Error) readError(error, reading)
  else readBodyValue(error, reading.body)
  const { body, messages, name } = reading
  let { network } = reading
  if (network === null && APICallError.isInstance(error) && error.statusCode === undefined) {
    network = error.isRetryable ? 'UNREACHABLE' : null
  }
  return {
    status: reading.status ?? body.statuses[0] ?? null,
    labels: body.labels.join(' '),
    message: [...body.sentences, ...messages].join(' ').slice(0, MAX_MESSAGE),
    sentence: sentenceOf(body.sentences),
    parameters: body.parameters,
    waits: body.waits,
    name,
    headers: { ...body.headers, ...reading.headers },
    network,
  }
}

function readError(error: Error, reading: Reading): void {
  if (reading.seen.has(error) || reading.seen.size >= MAX_ERRORS) return
  reading.seen.add(error)
  reading.name ||= error.name
  const status = propertyOf(error, 'statusCode')
  if (typeof status === 'number' && status >= 400) reading.status ??= status
  const headers = propertyOf(error, 'responseHeaders')
  if (headers) reading.headers = headers as Record<string, string>
  const code = propertyOf(error, 'code')
  if (typeof code === 'string' && NETWORK_CODE.test(code)) reading.network ??= code
  const body = propertyOf(error, 'responseBody')
  const data = propertyOf(error, 'data') ?? propertyOf(error, 'value')
  if (typeof body === 'string' && body !== '') readBodyText(body, reading.body)
  else if (data instanceof Error) readError(data, reading)
  else if (data !== undefined) readBodyValue(data, reading.body)
  else if (reading.network === null) {
    const { code: label, type } = error as { code?: unknown; type?: unknown }
    readBodyValue({ code: label, type }, reading.body)
  }
  if (!REPEATS_THE_ANSWER.has(error.name)) reading.messages.push(error.message.slice(0, MAX_MESSAGE))
  for (const name of ['error', 'response', 'cause']) {
    const inner = propertyOf(error, name)
    if (inner instanceof Error) readError(inner, reading)
    else if (inner !== undefined) readBodyValue({ [name]: inner }, reading.body)
  }
}

/** The first meaningful sentence, or all meaningless ones. */
function sentenceOf(sentences: readonly string[]): string | null {
  return sentences.find((one) => !SAYS_NOTHING.test(one)) ?? sentences[0] ?? null
}
