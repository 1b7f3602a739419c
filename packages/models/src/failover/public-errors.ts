import { ChatModelError, ONLY_REASONING } from '@troupe/agents/ports'
import { MAX_ANSWER, MAX_TOOL_INPUT } from './answer-size.ts'
import type { AttemptFailure } from './attempt-failure.ts'

const NO_CREDIT = 'The account at the model provider has no credit or quota left.'
const KEY_REFUSED = 'The key of the LLM configuration was refused by the model provider.'

const SENTENCES: Record<string, string> = {
  http_401: KEY_REFUSED,
  http_403: 'The model provider refused access with the key of the LLM configuration.',
  http_429: 'The model provider is limiting requests; try again later.',
  key_refused: KEY_REFUSED,
  rate_too_large: 'The request has more tokens than the account at the model provider may send in a minute.',
  request_too_large: 'The request is larger than the model provider accepts.',
  address_not_allowed:
    'The address of the LLM configuration is not allowed here: the operator must add its network to TROUPE_ALLOWED_NETWORKS.',
  timeout: 'The model did not answer in time.',
  network: 'The model provider could not be reached.',
  context_overflow: 'The conversation is longer than the model can read.',
  content_refused: 'The model provider refused the request because of its content policy.',
  model_not_found: 'The model provider does not know the configured model.',
  unexpected_body: 'The base URL of the LLM configuration does not lead to a model.',
  answer_cut: "The model's answer was cut off.",
  model_refused: 'The model refused to answer.',
  unusable_vectors: 'The answer of the embedding model cannot be used.',
  empty_response: 'The model returned an empty answer.',
  only_reasoning: ONLY_REASONING,
  answer_too_large: `The answer of the model was too large: at most ${MAX_ANSWER} characters of text, and ${MAX_TOOL_INPUT} for the arguments of a tool.`,
  invalid_request: 'The request could not be expressed for the configured model.',
}

/** The error for a call that no model answered: fatal failures are surfaced unchanged, others become exhausted. */
export function callFailed(failure: AttemptFailure, log: string): ChatModelError {
  const sentence = withReason(sentenceOf(failure), failure.publicReason)
  const details = {
    providerMessage: failure.providerMessage,
    errorCode: failure.errorCode,
    refusesRequest: REFUSED_REQUEST.has(failure.errorCode),
  }
  if (failure.kind === 'fatal') {
    const text = sentence ?? 'The model provider refused the request as invalid.'
    return new ChatModelError('fatal', text, log, details)
  }
  const code = EMPTY.has(failure.errorCode) ? 'empty_response' : 'exhausted'
  return new ChatModelError(code, sentence ?? 'The model provider answered with an error.', log, details)
}

const EMPTY = new Set(['empty_response', 'only_reasoning'])
/** A request without the refused feature may succeed. */
const REFUSED_REQUEST = new Set(['http_400', 'http_422', 'parameter_refused'])

function sentenceOf(failure: AttemptFailure): string | undefined {
  const { errorCode, modelId, parameter, retryAfterMs } = failure
  const model = modelId === null ? 'The configured model' : `The model ${modelId}`
  if (failure.errorClass === 'no_credit') return NO_CREDIT
  switch (errorCode) {
    case 'parameter_refused':
      return `${model} does not accept the parameter ${parameter} or its value.`
    case 'not_a_chat_model':
      return `${model} is not a chat model.`
    case 'model_not_found':
      return modelId === null
        ? SENTENCES[errorCode]
        : `The model provider does not know the model ${modelId}.`
    case 'http_429':
      return retryAfterMs === null || retryAfterMs < 1000
        ? SENTENCES[errorCode]
        : `The model provider is limiting requests; try again in ${waitText(retryAfterMs)}.`
    default:
      return SENTENCES[errorCode]
  }
}

/** A wait in words, rounded up. */
function waitText(ms: number): string {
  const seconds = Math.ceil(ms / 1000)
  if (seconds < 120) return `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`
  const minutes = Math.ceil(seconds / 60)
  return minutes < 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`
}

function withReason(sentence: string | undefined, reason: string | null): string | undefined {
  return reason === null || !sentence ? sentence : `${sentence.slice(0, -1)}: ${reason}.`
}

/** The error for an answer that broke off after some of its parts were delivered. */
export function answerBroke(failure: AttemptFailure, log: string): ChatModelError {
  const reason = failure.errorCode === 'answer_cut' ? failure.publicReason : null
  return new ChatModelError('stream_broken', withReason(SENTENCES.answer_cut, reason) ?? '', log)
}

/** The error when the run has no time left for a first attempt. */
export function noTimeLeft(log: string): ChatModelError {
  return new ChatModelError('exhausted', 'There was no time left to call the model.', log)
}
