import type { ErrorBody } from '@troupe/contract'

/** The body of an error in OpenAI's shape. */
export interface OpenAiError {
  error: { message: string; type: string; code: string; param: string | null }
}

/** OpenAI's error types, by our codes; other errors are attributed to the caller's request or the server. */
const TYPES: Readonly<Record<string, string>> = {
  unauthorized: 'authentication_error',
  forbidden: 'permission_error',
  rate_limit_exceeded: 'rate_limit_error',
  budget_exceeded: 'insufficient_quota',
  internal_error: 'server_error',
  service_unavailable: 'server_error',
  storage_unavailable: 'server_error',
  bad_gateway: 'server_error',
  upstream_error: 'server_error',
  execution_timeout: 'server_error',
}

/** An error of this API in OpenAI's shape: `message` names every failed field, `param` the first. */
export function openAiError({ error, message, errors = [] }: ErrorBody): OpenAiError {
  const failures = errors.map(({ path, message: reason }) => `${path} ${reason}`)
  return {
    error: {
      message: failures.length === 0 ? message : `${failures.join('; ')}.`,
      type: TYPES[error] ?? 'invalid_request_error',
      code: error,
      param: errors[0]?.path ?? null,
    },
  }
}
