import type { ErrorCode, IdText, OrganizationId } from '@troupe/contract'
import { noteServerTime } from '../../core/format/server-clock.ts'
import { CallFailure } from './call-failure.ts'
import { OPERATION_TABLE } from './operation-rows.ts'
import type { AnswerOf, AnyInput, InputOf, OperationName } from './operation-types.ts'
import { requestUrl } from './request-url.ts'
import { noteBuild, noteRefusal, noteSignedOut } from './server-signals.ts'

/** Options of one call. */
export interface CallSettings {
  signal?: AbortSignal
  /** Lets the request outlive the page; the body is limited to 60 KB. */
  keepalive?: boolean
}

/**
 * Calls an operation with the session cookie. Throws {@link CallFailure} for every failure; a 401 also signals the page that the
 * user is signed out.
 */
export async function callOperation<Name extends OperationName>(
  name: Name,
  organizationId: IdText<OrganizationId> | null,
  input: InputOf<Name>,
  settings: CallSettings = {},
): Promise<AnswerOf<Name>> {
  return (await callForReply(name, organizationId, input, settings)).answer
}

/** The same with the status, for operations that distinguish results by it: 200 for an existing resource. */
export async function callForReply<Name extends OperationName>(
  name: Name,
  organizationId: IdText<OrganizationId> | null,
  input: InputOf<Name>,
  settings: CallSettings = {},
): Promise<{ answer: AnswerOf<Name>; status: number }> {
  const response = await send(name, organizationId, input, settings)
  // The contract types the response of each operation, and the server is tested against the same data.
  return { answer: (await readAnswer(response)) as AnswerOf<Name>, status: response.status }
}

/**
 * Sends a request and returns its response unread. Throws {@link CallFailure} for refusals and lost connections.
 */
export async function send(
  name: OperationName,
  organizationId: IdText<OrganizationId> | null,
  input: AnyInput,
  settings: CallSettings = {},
): Promise<Response> {
  const row = OPERATION_TABLE[name]
  if (!row) throw new TypeError(`no operation is called ${name}`)
  const { method, path, bodyType, isStream } = row
  const { body } = input
  const isForm = body instanceof FormData
  const response = await fetch(requestUrl(path, organizationId, input), {
    method,
    credentials: 'same-origin',
    redirect: 'error',
    headers: {
      accept: isStream ? 'text/event-stream' : 'application/json',
      ...(body === undefined || isForm ? {} : { 'content-type': bodyType }),
    },
    ...(body === undefined
      ? {}
      : { body: isForm || typeof body === 'string' ? body : JSON.stringify(body, onlyNumbers) }),
    ...settings,
  }).catch((error: unknown) => {
    throw withoutAnswer(error, 'The server could not be reached. Check your connection and try again.')
  })
  noteBuild(response.headers.get('x-troupe-build'))
  noteServerTime(response.headers.get('date'), Date.now())
  if (!response.ok) throw await failureOf(name, response)
  return response
}

/** A text that is not a number is NaN in its form. It would be written as null, which means that nothing is set. */
function onlyNumbers(_key: string, value: unknown): unknown {
  if (typeof value !== 'number' || Number.isFinite(value)) return value
  throw new CallFailure('validation_error', 'A number could not be read. Correct the marked field.')
}

function withoutAnswer(error: unknown, message: string): CallFailure {
  const isAbort = error instanceof DOMException && error.name === 'AbortError'
  return isAbort
    ? new CallFailure('aborted', 'The request was stopped.')
    : new CallFailure('offline', message)
}

async function readAnswer(response: Response): Promise<unknown> {
  if (response.status === 204) return null
  const text = await response.text().catch((error: unknown) => {
    throw withoutAnswer(error, 'The connection broke during the answer.')
  })
  if (!response.headers.get('content-type')?.startsWith('application/json')) return text
  return JSON.parse(text)
}

async function failureOf(name: OperationName, response: Response): Promise<CallFailure> {
  const { status } = response
  const facts = { status, requestId: response.headers.get('x-request-id') }
  const body: unknown = await response.json().catch(() => null)
  if (!isErrorAnswer(body)) {
    const isDown = status >= 500
    return new CallFailure(
      'invalid_answer',
      isDown
        ? `The server is not available right now (HTTP ${status}). Try again in a moment.`
        : `The server sent an unexpected response with status ${status}.`,
      facts,
    )
  }
  if (body.error === 'unauthorized' && name !== 'signIn') noteSignedOut()
  if (body.error === 'forbidden' || body.error === 'organization_not_found') noteRefusal()
  const seconds = Number(response.headers.get('retry-after') ?? 'none')
  return new CallFailure(isErrorCode(body.error) ? body.error : 'invalid_answer', body.message, {
    ...facts,
    errors: Array.isArray(body.errors) ? body.errors : [],
    current: body.current ?? null,
    changesSince: Array.isArray(body.changesSince) ? body.changesSince : null,
    retryAfterSeconds: Number.isFinite(seconds) ? seconds : null,
  })
}

interface ErrorAnswer {
  error: string
  message: string
  errors?: CallFailure['errors']
  current?: CallFailure['current']
  changesSince?: CallFailure['changesSince']
}

function isErrorAnswer(body: unknown): body is ErrorAnswer {
  return (
    typeof body === 'object' &&
    body !== null &&
    'error' in body &&
    typeof body.error === 'string' &&
    'message' in body &&
    typeof body.message === 'string'
  )
}

/** The server is tested to send codes of the contract only; the table itself would be a part of the first load. */
function isErrorCode(code: string): code is ErrorCode {
  return /^[a-z_]+$/.test(code)
}
