import {
  COMMON_ERRORS,
  EDGE_ERRORS,
  type FieldError,
  isJsonObject,
  type JsonObject,
  propertyOf,
} from '@troupe/contract'
import { retryAfterSeconds } from './rate-limit.ts'
import type { CalledOperation } from './request.ts'
import { type CallError, type Failure, failure, type Result } from './result.ts'
import { type Answered, brokenRequest } from './transport.ts'

function objectOf(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : null
  } catch {
    return null
  }
}

function fieldErrors(value: unknown): FieldError[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((item: unknown) => {
    const [path, message] = [propertyOf(item, 'path'), propertyOf(item, 'message')]
    return typeof message === 'string' ? [{ path: typeof path === 'string' ? path : '', message }] : []
  })
}

function answers(operation: CalledOperation, code: string): boolean {
  const codes: readonly string[] = [
    'validation_error',
    ...operation.errors,
    ...COMMON_ERRORS[operation.access],
    ...EDGE_ERRORS,
  ]
  return codes.includes(code)
}

function errorOf(operation: CalledOperation, response: Response, body: JsonObject | null): CallError {
  const seconds = retryAfterSeconds(response.headers, Date.now())
  const later = seconds === null ? {} : { retryAfter: seconds }
  if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)) {
    return { code: 'invalid_response', message: 'The server answered with a redirect; check baseUrl.' }
  }
  if (typeof body?.error !== 'string' || typeof body.message !== 'string') {
    const message = `The server answered ${response.status} with a body that is not a Troupe error.`
    return { code: 'invalid_response', message, ...later }
  }
  const known = answers(operation, body.error)
  const errors = fieldErrors(body.errors)
  return {
    code: known ? body.error : 'unexpected_error',
    message: body.message,
    ...(errors.length > 0 ? { errors } : {}),
    ...(typeof body.retry_after === 'number' ? { retryAfter: body.retry_after } : later),
    ...(known ? {} : { serverCode: body.error }),
  }
}

/** Reads a complete JSON response and releases its scope. Never throws. */
export async function readJsonAnswer(
  operation: CalledOperation,
  answered: Answered,
): Promise<Result<JsonObject>> {
  const { response, facts, scope } = answered
  try {
    const body = objectOf(await response.text())
    if (!response.ok) return { ok: false, error: errorOf(operation, response, body), ...facts }
    if (body === null) {
      const message = `The server answered ${facts.status} with a body that is not a JSON object.`
      return failure('invalid_response', message, facts)
    }
    return { ok: true, data: body, ...facts }
  } catch (error) {
    return brokenRequest(error, scope, facts)
  } finally {
    scope.release()
  }
}

/** Reads the error from the response to a call that expected another content type, such as a stream. */
export async function readRefusal(operation: CalledOperation, answered: Answered): Promise<Failure> {
  const answer = await readJsonAnswer(operation, answered)
  if (!answer.ok) return answer
  return failure(
    'invalid_response',
    'The server answered with JSON where a stream was expected.',
    answered.facts,
  )
}
