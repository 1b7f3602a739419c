import type { FailoverClass } from '@troupe/agents/ports'
import { whyUnreachable } from '@troupe/contract'
import { type AttemptFailure, attemptFailure } from './attempt-failure.ts'
import { type ErrorFacts, errorFacts } from './error-facts.ts'
import { retryAfterMs } from './retry-after.ts'

const CONTEXT_OVERFLOW =
  /context_length_exceeded|model_max_prompt_tokens|maximum context length|context (window|length|limit|size)|prompt is too long|(input|prompt|request)[^.]{0,40} (is )?too (long|large)|too many (input |total )?tokens|exceeds? the (maximum|limit)[^.]{0,40} tokens|reduce the length of the (messages|prompt)/i
const CONTENT_REFUSED =
  /content_filter|content_policy|content[ _-]?management|responsible_?ai|safety_?(error|block|system)|blocked_by_policy/i
const MODEL_NOT_FOUND =
  /model_not_found|model_not_exist|unknown_model|no such model|model .{0,80}(does not exist|not found)/i
const NO_QUOTA = /insufficient_quota|billing_hard_limit|quota_exceeded/i
const RATE_LIMIT = /rate_?limit|too_many_requests|throttl|resource_exhausted/i
const TIMEOUT_CODE = /TIMEDOUT|TIMEOUT/

/** Names of errors that the AI SDK raises for our own request, before or instead of a call. */
const OUR_FAULT = new Set([
  'AI_InvalidPromptError',
  'AI_InvalidArgumentError',
  'AI_UnsupportedFunctionalityError',
  'AI_LoadAPIKeyError',
  'AI_LoadSettingError',
  'AI_MissingToolResultsError',
])

/**
 * Sorts an error into retryable, next or fatal (section 10 of the agents design).
 *
 * @param error thrown by a provider, or the value of its `error` stream part
 * @param now milliseconds since the epoch, for a Retry-After that is a date
 */
export function classifyError(error: unknown, now: number): AttemptFailure {
  const facts = errorFacts(error)
  const internalMessage = describe(facts)
  const make = (errorCode: string, rest: Partial<AttemptFailure> = {}) =>
    attemptFailure(errorCode, internalMessage, { retryAfterMs: retryAfterMs(facts.headers, now), ...rest })

  // The deployment's guarded fetch refused the address: retries and fallbacks cannot change that.
  if (facts.labels.includes('ADDRESS_NOT_ALLOWED')) return make('address_not_allowed', FATAL)
  if (facts.network !== null) {
    return make('network', {
      class: TIMEOUT_CODE.test(facts.network) ? 'timeout' : 'error',
      publicReason: whyUnreachable(facts.network),
    })
  }
  if (OUR_FAULT.has(facts.name)) return make('invalid_request', FATAL)
  const said = `${facts.labels} ${facts.message}`
  return facts.status === null ? classifyWords(said, make) : classifyStatus(facts.status, said, make)
}

const FATAL: Partial<AttemptFailure> = { kind: 'fatal', blamesConfiguration: false }
const OVERFLOW: Partial<AttemptFailure> = {
  kind: 'next',
  class: 'context_overflow',
  blamesConfiguration: false,
}
const NOT_FOUND: Partial<AttemptFailure> = { kind: 'next', blamesConfiguration: false }

type Make = (errorCode: string, rest?: Partial<AttemptFailure>) => AttemptFailure

function classifyStatus(status: number, said: string, make: Make): AttemptFailure {
  if (status === 429) {
    // An exhausted quota does not recover within a second.
    return make('http_429', { class: 'rate_limit', kind: NO_QUOTA.test(said) ? 'next' : 'retry' })
  }
  if (status === 408 || status === 409 || status >= 500)
    return make(`http_${status}`, { class: classOf(status) })
  if (status === 400 || status === 413 || status === 422) {
    if (CONTENT_REFUSED.test(said)) return make('content_refused', FATAL)
    if (CONTEXT_OVERFLOW.test(said)) return make('context_overflow', OVERFLOW)
    if (MODEL_NOT_FOUND.test(said)) return make('model_not_found', NOT_FOUND)
  }
  if (status === 404 || status === 410) return make('model_not_found', NOT_FOUND)
  return make(`http_${status}`, FATAL)
}

function classOf(status: number): FailoverClass {
  return status === 408 || status === 504 ? 'timeout' : 'error'
}

/** An error without a status: an early error chunk, or an answer that is not a valid stream. */
function classifyWords(said: string, make: Make): AttemptFailure {
  if (CONTENT_REFUSED.test(said)) return make('content_refused', FATAL)
  if (CONTEXT_OVERFLOW.test(said)) return make('context_overflow', OVERFLOW)
  if (MODEL_NOT_FOUND.test(said)) return make('model_not_found', NOT_FOUND)
  if (NO_QUOTA.test(said)) return make('http_429', { class: 'rate_limit', kind: 'next' })
  return make('provider_error', { class: RATE_LIMIT.test(said) ? 'rate_limit' : 'error' })
}

function describe(facts: ErrorFacts): string {
  const parts = [facts.status && `HTTP ${facts.status}`, facts.network, facts.name, facts.message]
  return parts.filter(Boolean).join(' ') || 'unknown error'
}
