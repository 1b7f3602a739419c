import type { FailoverClass } from '@troupe/agents/ports'
import { whyUnreachable } from '@troupe/contract'
import { type AttemptFailure, attemptFailure } from './attempt-failure.ts'
import { ERROR_CLASSES, type ErrorClassName, REACTIONS } from './error-classes.ts'
import { type ErrorFacts, errorFacts } from './error-facts.ts'
import { refusedParameter } from './refused-parameter.ts'
import { retryAfterMs } from './retry-after.ts'

const RATE_LIMIT = /rate_?limit|too_many_requests|throttl|resource_exhausted|too many requests/i
const TIMEOUT_CODE = /TIMEDOUT|TIMEOUT/
/** Statuses with which providers refuse a request because of a parameter. */
const REFUSES_PARAMETERS = new Set([400, 404, 415, 422, null])

/** Names of errors that the AI SDK raises for invalid requests of this program, before or instead of a call. */
const OUR_FAULT = new Set([
  'AI_InvalidPromptError',
  'AI_InvalidArgumentError',
  'AI_UnsupportedFunctionalityError',
  'AI_LoadAPIKeyError',
  'AI_LoadSettingError',
  'AI_MissingToolResultsError',
])

/**
 * Classifies an error as retryable, next or fatal (section 10 of the agents design): by the rules of `ERROR_CLASSES`,
 * then by its status.
 *
 * @param error thrown by a provider, or the value of its `error` stream part
 * @param now milliseconds since the epoch, for a Retry-After that is a date
 */
export function classifyError(error: unknown, now: number): AttemptFailure {
  const facts = errorFacts(error)
  const make: Make = (errorCode, rest = {}) =>
    attemptFailure(errorCode, describe(facts), {
      retryAfterMs: retryAfterMs(facts, now, rest.class === 'rate_limit'),
      providerMessage: facts.sentence,
      ...rest,
    })

  // The deployment's guarded fetch refused the address: retries and fallbacks cannot change that.
  if (facts.network === 'ADDRESS_NOT_ALLOWED') return make('address_not_allowed', FATAL)
  if (facts.network !== null) {
    return make('network', {
      class: TIMEOUT_CODE.test(facts.network) ? 'timeout' : 'error',
      publicReason: whyUnreachable(facts.network),
    })
  }
  if (OUR_FAULT.has(facts.name)) return make('invalid_request', FATAL)
  const name = classNameOf(facts)
  if (name === null) return byStatus(facts, make)
  const parameter = name === 'parameter_refused' ? refusedParameter(facts) : null
  return make(codeOf(name, facts.status), { ...REACTIONS[name], errorClass: name, parameter })
}

const FATAL: Partial<AttemptFailure> = { kind: 'fatal', blamesConfiguration: false }

type Make = (errorCode: string, rest?: Partial<AttemptFailure>) => AttemptFailure

function classNameOf(facts: ErrorFacts): ErrorClassName | null {
  const said = `${facts.labels} ${facts.message}`
  const rule = ERROR_CLASSES.find(
    (one) => one.statuses.includes(facts.status) && one.said.test(said) && !one.unless?.test(said),
  )
  if (rule && rule.name !== 'model_not_found') return rule.name
  // "Unsupported parameter … with this model" is about the parameter, although it mentions the model.
  if (REFUSES_PARAMETERS.has(facts.status) && refusedParameter(facts) !== null) return 'parameter_refused'
  return rule?.name ?? null
}

/** Statuses with which providers report an account without credit or quota; such an error keeps the code of its status. */
const OF_CREDIT = new Set([402, 429])

function codeOf(name: ErrorClassName, status: number | null): string {
  return name === 'no_credit' && status !== null && OF_CREDIT.has(status) ? `http_${status}` : name
}

function byStatus({ status, labels, message }: ErrorFacts, make: Make): AttemptFailure {
  if (status === null) {
    return make('provider_error', { class: RATE_LIMIT.test(`${labels} ${message}`) ? 'rate_limit' : 'error' })
  }
  if (status === 402) return make('http_402', { ...REACTIONS.no_credit, errorClass: 'no_credit' })
  if (status === 429) return make('http_429', { class: 'rate_limit' })
  if (status === 408 || status === 409 || status >= 500) {
    return make(`http_${status}`, { class: classOf(status) })
  }
  if (status === 404 || status === 410) return make('model_not_found', REACTIONS.model_not_found)
  return make(`http_${status}`, FATAL)
}

function classOf(status: number): FailoverClass {
  return status === 408 || status === 504 ? 'timeout' : 'error'
}

function describe(facts: ErrorFacts): string {
  const parts = [facts.status && `HTTP ${facts.status}`, facts.network, facts.name, facts.message]
  return parts.filter(Boolean).join(' ') || 'unknown error'
}
