import { isJsonObject, propertyOf } from '@troupe/contract'
import type { WireProtocol } from '../provider/provider.ts'

/** Whether a JSON body is a complete answer of a protocol, as for requests without streaming. */
export function isWholeAnswer(body: unknown, protocol: WireProtocol): boolean {
  const has = (name: string) => Array.isArray(propertyOf(body, name))
  switch (protocol) {
    case 'chat':
      return has('choices')
    case 'responses':
      return propertyOf(body, 'object') === 'response' && has('output')
    case 'messages':
      return propertyOf(body, 'type') === 'message' && has('content')
    case 'gemini':
      return has('candidates') || isJsonObject(propertyOf(body, 'promptFeedback'))
    case 'converse':
      return isJsonObject(propertyOf(body, 'output')) && typeof propertyOf(body, 'stopReason') === 'string'
  }
}

/** Keys of errors such as `{error: …}`, `{type: 'error', error: …}`, `{code, message}`, `{detail}` and `{__type}`. */
const LABELS = ['code', 'type', '__type', 'status', 'statusCode']

/**
 * HTTP statuses by the error words in bodies. Sources: OpenAI https://platform.openai.com/docs/guides/error-codes,
 * Anthropic https://docs.claude.com/en/api/errors, Google https://cloud.google.com/apis/design/errors, Amazon Bedrock
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html
 */
const STATUSES: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  context_length_exceeded: 400,
  content_filter: 400,
  content_policy_violation: 400,
  authentication_error: 401,
  invalid_api_key: 401,
  billing_error: 402,
  insufficient_balance: 402,
  insufficient_credits: 402,
  permission_error: 403,
  not_found_error: 404,
  model_not_found: 404,
  request_too_large: 413,
  insufficient_quota: 429,
  rate_limit_error: 429,
  rate_limit_exceeded: 429,
  too_many_requests: 429,
  api_error: 500,
  server_error: 500,
  internal_server_error: 500,
  service_unavailable: 503,
  timeout_error: 504,
  overloaded_error: 529,
  invalid_argument: 400,
  failed_precondition: 400,
  unauthenticated: 401,
  permission_denied: 403,
  not_found: 404,
  resource_exhausted: 429,
  internal: 500,
  unavailable: 503,
  deadline_exceeded: 504,
  validationexception: 400,
  accessdeniedexception: 403,
  resourcenotfoundexception: 404,
  throttlingexception: 429,
  modelnotreadyexception: 429,
  modeltimeoutexception: 408,
  internalserverexception: 500,
  serviceunavailableexception: 503,
}

/** Whether a JSON body reports a failed request. */
export function isError(body: unknown): boolean {
  const error = propertyOf(body, 'error')
  if (error !== undefined && error !== null && error !== false) return true
  return ['message', 'detail', 'errors', '__type'].some((name) => propertyOf(body, name) !== undefined)
}

/** The status of an error body; null if nothing in it reveals one. */
export function statusOfError(body: unknown): number | null {
  for (const part of [propertyOf(body, 'error'), body]) {
    const labels = LABELS.map((name) => propertyOf(part, name))
    const status = labels.map(Number).find((code) => Number.isInteger(code) && code >= 400 && code < 600)
    if (status !== undefined) return status
    for (const label of labels) {
      // Amazon's error types have a namespace: `com.amazon.coral#ThrottlingException`.
      const word = typeof label === 'string' ? label.slice(label.lastIndexOf('#') + 1).toLowerCase() : ''
      if (Object.hasOwn(STATUSES, word)) return STATUSES[word] ?? null
    }
  }
  return null
}
